package io.github.untaken.spring.boot.reserved;

import io.github.untaken.IdentifierKind;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.spring.boot.setup.UntakenSetupException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The reserved names that the properties give one kind: with our own or without, and where the application's are. */
final class ReservedNameList {
    private final String property;
    private final IdentifierKind kind;
    private final boolean defaults;
    private final List<ReservedNameSource> sources;
    private @Nullable Set<String> held; // what is in force; of one thread at a time
    private boolean failing;

    /** @throws UntakenSetupException if the name is that of no kind */
    ReservedNameList(String kind, boolean defaults, List<ReservedNameSource> sources) {
        this.property =
                sources.isEmpty() ? "untaken.reserved." + kind : sources.get(0).property();
        try {
            this.kind = IdentifierKind.of(kind);
        } catch (IllegalArgumentException e) {
            throw unknownKind(e);
        }
        this.defaults = defaults;
        this.sources = sources;
    }

    IdentifierKind kind() {
        return kind;
    }

    UntakenSetupException unknownKind(@Nullable Throwable cause) {
        return new UntakenSetupException(
                property + " names an unknown kind of identifiers",
                "Write the name of a kind, as in @RegisteredIdentifier.",
                cause);
    }

    /** Whether the last look could not read everything. */
    boolean isFailing() {
        return failing;
    }

    /** Whether anything can change while the application runs. */
    boolean isRead() {
        return !sources.isEmpty();
    }

    /** @throws UntakenSetupException if something cannot be read; names the property */
    ReservedNames first() {
        Set<String> names = new HashSet<>();
        for (ReservedNameSource source : sources) {
            try {
                names.addAll(source.read());
            } catch (Exception e) {
                throw new UntakenSetupException(
                        source.property() + " cannot be read: " + withoutValues(e), source.advice(), null);
            }
        }
        held = names;
        return with(names);
    }

    /**
     * Looks again. If something cannot be read, all stays as it is, and the first failure in a row is reported.
     *
     * @return what has to be said, in a sentence; empty if nothing has changed
     */
    String refresh(Consumer<ReservedNames> use) {
        String reading = property;
        try {
            Set<String> names = new HashSet<>();
            for (ReservedNameSource source : sources) {
                reading = source.property();
                names.addAll(source.read());
            }
            boolean failed = failing;
            failing = false;
            if (names.equals(held)) {
                return failed ? "Reserved names of kind '" + kind + "' can be read again" : "";
            }
            use.accept(with(names));
            held = names;
            return "Reserved names of kind '" + kind + "' were read again";
        } catch (Exception e) {
            boolean failed = failing;
            failing = true;
            return failed
                    ? ""
                    : "Reserved names of kind '" + kind + "' stay as they were until " + reading
                            + " can be read again: " + withoutValues(e);
        }
    }

    /** A database's message may hold a value of a row, unless it is about the statement or the connection. */
    private static String withoutValues(Exception e) {
        if (e instanceof IOException) {
            return String.valueOf(e.getMessage());
        }
        String state = e instanceof SQLException sql ? String.valueOf(sql.getSQLState()) : "";
        boolean harmless = state.startsWith("42") || state.startsWith("08");
        return harmless ? String.valueOf(e.getMessage()) : e.getClass().getSimpleName() + " " + state;
    }

    private ReservedNames with(Set<String> names) {
        ReservedNames listed = ReservedNames.of(names);
        return defaults ? ReservedNames.defaults().and(listed) : listed;
    }
}
