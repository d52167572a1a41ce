package io.github.untaken.jpa.hibernate.statement;

/**
 * A statement that is about to be prepared.
 *
 * @param given what Hibernate made
 * @param sent what the application's inspector made of that, and the database gets
 * @param readable false if nobody has seen it, so that it may be anything
 */
public record InspectedStatement(String given, String sent, boolean readable) {

    /** One that nobody here has seen. */
    public static final InspectedStatement UNSEEN = new InspectedStatement("", "", false);

    /** Whether the database gets what Hibernate made, with a comment before or after it at most. */
    boolean isUnchanged() {
        int start = readable ? sent.indexOf(given) : -1;
        return start >= 0
                && isComment(sent.substring(0, start).strip())
                && isComment(sent.substring(start + given.length()).strip());
    }

    /** {@code /*!} begins what MySQL executes, {@code /*M!} what MariaDB does. */
    private static boolean isComment(String text) {
        return text.isEmpty()
                || text.startsWith("/*")
                        && !text.startsWith("/*!")
                        && !text.startsWith("/*M!")
                        && text.indexOf("/*", 2) < 0
                        && text.indexOf("*/", 2) == text.length() - 2;
    }
}
