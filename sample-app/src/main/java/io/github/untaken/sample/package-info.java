/**
 * A sign-up site on Jetty, Hibernate and H2 that shows which database reads its availability checks did not need. {@link
 * io.github.untaken.sample.SignUpSite} is the door; everything counted is counted in {@link
 * io.github.untaken.sample.FileReads} and {@link io.github.untaken.sample.CheckReads}.
 */
@NullMarked
package io.github.untaken.sample;

import org.jspecify.annotations.NullMarked;
