package io.github.untaken.jpa;

import io.github.untaken.test.calls.StandIn;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;

/** Real connections of a real database that count the queries, the rows each delivered, and what is left open. */
public final class CountingDataSource extends ProxiedDataSource {
    private final String url;
    private final List<AtomicLong> rowsOfQueries = new ArrayList<>();
    private final List<String> queries = new CopyOnWriteArrayList<>();
    private final AtomicInteger openConnections = new AtomicInteger();

    public CountingDataSource(String url) {
        this.url = url;
    }

    /** The rows read from each query so far, in the order of the queries. */
    public List<Long> rowsOfQueries() {
        synchronized (rowsOfQueries) {
            return rowsOfQueries.stream().map(AtomicLong::get).toList();
        }
    }

    public void forget() {
        synchronized (rowsOfQueries) {
            rowsOfQueries.clear();
        }
        queries.clear();
    }

    private static String withLiterals(String sql, Collection<Object> parameters) {
        String text = sql;
        for (Object parameter : parameters) {
            String literal = parameter instanceof Number ? parameter.toString() : "'" + parameter + "'";
            text = text.replaceFirst("\\?", Matcher.quoteReplacement(literal));
        }
        return text;
    }

    /** The text of each query so far, with its parameters filled in. */
    public List<String> queries() {
        return List.copyOf(queries);
    }

    public int openConnections() {
        return openConnections.get();
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        openConnections.incrementAndGet();
        return StandIn.of(Connection.class, (method, arguments) -> {
            if (method.getName().equals("close")) {
                openConnections.decrementAndGet();
            }
            Object result = method.invoke(connection, arguments);
            return result instanceof PreparedStatement statement ? statement(statement, (String) arguments[0]) : result;
        });
    }

    private PreparedStatement statement(PreparedStatement statement, String sql) {
        Map<Integer, Object> parameters = new TreeMap<>();
        return StandIn.of(PreparedStatement.class, (method, arguments) -> {
            Object result = method.invoke(statement, arguments);
            if (method.getName().startsWith("set") && arguments.length > 1) {
                parameters.put((Integer) arguments[0], arguments[1]);
            } else if (method.getName().equals("executeQuery")) {
                queries.add(withLiterals(sql, parameters.values()));
            }
            return result instanceof ResultSet rows && method.getName().equals("executeQuery") ? rows(rows) : result;
        });
    }

    private ResultSet rows(ResultSet rows) {
        AtomicLong read = new AtomicLong();
        synchronized (rowsOfQueries) {
            rowsOfQueries.add(read);
        }
        return StandIn.of(ResultSet.class, (method, arguments) -> {
            Object result = method.invoke(rows, arguments);
            if (method.getName().equals("next") && Boolean.TRUE.equals(result)) {
                read.incrementAndGet();
            }
            return result;
        });
    }
}
