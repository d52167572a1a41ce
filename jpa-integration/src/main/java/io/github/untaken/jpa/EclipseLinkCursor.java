package io.github.untaken.jpa;

import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.Query;
import java.lang.reflect.Method;
import java.util.Iterator;
import java.util.function.Consumer;

/**
 * Streams the rows of a query, where EclipseLink would make a list of all of them. Uses reflection on what EclipseLink returns: a server
 * need not show its classes to an application.
 */
final class EclipseLinkCursor {
    private static final int PAGE = 1_000;

    private EclipseLinkCursor() {}

    static boolean isOf(EntityManagerFactory factory) {
        return EclipseLinkListeners.areIn(factory);
    }

    /** @throws PersistenceException if this EclipseLink has no such cursor */
    static void read(Query query, Consumer<String> values) {
        Object cursor = query.setHint("eclipselink.cursor", true)
                .setHint("eclipselink.cursor.page-size", PAGE)
                .setHint("eclipselink.jdbc.fetch-size", PAGE)
                .getSingleResult();
        try (Cursor rows = new Cursor(cursor)) {
            rows.forEachRemaining(values);
        } catch (ReflectiveOperationException e) {
            throw new PersistenceException(
                    "this version of EclipseLink has an unknown cursor: use a version from 3 to 5", e);
        }
    }

    /** It keeps what it has read until told to forget. */
    private record Cursor(Object stream, Method forget, Method end) implements AutoCloseable {
        Cursor(Object stream) throws ReflectiveOperationException {
            this(
                    stream,
                    stream.getClass().getMethod("releasePrevious"),
                    stream.getClass().getMethod("close"));
        }

        void forEachRemaining(Consumer<String> values) throws ReflectiveOperationException {
            Iterator<?> rows = (Iterator<?>) stream;
            for (int read = 1; rows.hasNext(); read++) {
                values.accept((String) rows.next());
                if (read % PAGE == 0) {
                    forget.invoke(stream);
                }
            }
        }

        @Override
        public void close() throws ReflectiveOperationException {
            end.invoke(stream);
        }
    }
}
