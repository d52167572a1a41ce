package io.github.untaken.jpa.hibernate.table;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.hibernate.dialect.pagination.LimitHandler;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.query.internal.QueryOptionsImpl;
import org.hibernate.query.spi.Limit;

/**
 * The dialect's own way to ask for the first rows only. A limit on the statement object alone would not do: the database
 * plans without knowing of it, and may sort the whole table for each page.
 */
final class PageLimit {
    private final SessionFactoryImplementor factory;
    private final LimitHandler handler;
    private final Limit limit;

    PageLimit(SessionFactoryImplementor factory, int rows) {
        this(factory, new Limit(null, rows));
    }

    PageLimit(SessionFactoryImplementor factory, int skipped, int rows) {
        this(factory, new Limit(skipped, rows));
    }

    private PageLimit(SessionFactoryImplementor factory, Limit limit) {
        this.factory = factory;
        this.handler = factory.getJdbcServices().getDialect().getLimitHandler();
        this.limit = limit;
    }

    String applyTo(String sql, int parameters) {
        QueryOptionsImpl options = new QueryOptionsImpl();
        options.getLimit().setFirstRow(limit.getFirstRow());
        options.getLimit().setMaxRows(limit.getMaxRows());
        return handler.processSql(sql, parameters, factory.getParameterMarkerStrategy(), options);
    }

    /** Returns the index of the first parameter of the query proper. */
    int bindFirst(PreparedStatement statement) throws SQLException {
        return 1 + handler.bindLimitParametersAtStartOfQuery(limit, statement, 1);
    }

    void bindLast(PreparedStatement statement, int index) throws SQLException {
        handler.bindLimitParametersAtEndOfQuery(limit, statement, index);
        handler.setMaxRows(limit, statement);
    }
}
