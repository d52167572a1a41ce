/**
 * Several nodes on one PostgreSQL, MariaDB or MySQL, each a process of its own, on one machine. {@link io.github.untaken.nodes.SampleCluster} is the
 * command for people. {@link io.github.untaken.nodes.Node} is what runs in a node's process; {@link
 * io.github.untaken.nodes.Cluster} starts nodes and the database, and breaks them; {@link io.github.untaken.nodes.Load} writes, asks
 * every node the moment a commit has returned, and knows what the answer must be.
 */
@NullMarked
package io.github.untaken.nodes;

import org.jspecify.annotations.NullMarked;
