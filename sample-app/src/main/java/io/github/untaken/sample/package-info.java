/**
 * A sign-up site on Jetty, Hibernate and H2 that shows which database reads its availability checks did not need. {@link
 * io.github.untaken.sample.SignUpSite} is the door: it reads the command line and puts together what the packages below
 * hold. None of them knows this one.
 */
@NullMarked
package io.github.untaken.sample;

import org.jspecify.annotations.NullMarked;
