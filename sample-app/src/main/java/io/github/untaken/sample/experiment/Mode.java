package io.github.untaken.sample.experiment;

/** What stands before the database in one replay. */
public enum Mode {
    NO_FILTER,
    MEMBERSHIP_FILTER,
    FILTER_AND_WHITELIST
}
