package io.github.untaken.sample;

/** What stands before the database in one replay. */
enum Mode {
    NO_FILTER,
    MEMBERSHIP_FILTER,
    FILTER_AND_WHITELIST
}
