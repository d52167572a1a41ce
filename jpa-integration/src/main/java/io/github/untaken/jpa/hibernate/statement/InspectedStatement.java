package io.github.untaken.jpa.hibernate.statement;

/**
 * A statement that is about to be prepared and may write identifiers.
 *
 * @param given what Hibernate made
 * @param sent what the application's inspector made of it, and the database gets
 */
public record InspectedStatement(String given, String sent, Judgement judgement) {}
