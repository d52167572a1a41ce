package io.github.untaken.sample.experiment;

/** How a check was answered. */
public enum AnswerClass {
    /** By the membership filter: nobody holds it. */
    FREE_BY_FILTER,
    /** By the whitelist: the filter said maybe, an earlier read had proved it free. */
    FREE_BY_WHITELIST,
    /** By a store read that found it. */
    RECHECK_FOUND,
    /** By a store read that found nothing; with the filter on, a false positive of the filter. */
    RECHECK_FOUND_NOTHING,
    /** By the rules: reserved or not allowed. No run reads anything for these. */
    REFUSED,
    /** Not at all: the database did not answer. */
    UNKNOWN
}
