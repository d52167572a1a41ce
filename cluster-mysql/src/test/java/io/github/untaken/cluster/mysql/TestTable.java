package io.github.untaken.cluster.mysql;

import io.github.untaken.feeds.TableStore;

/** A table of its own with the columns {@code id} and {@code username}. */
record TestTable(String name) implements AutoCloseable {

    static TestTable created() {
        return created("id bigint auto_increment primary key, username varchar(100) unique");
    }

    static TestTable created(String columns) {
        TestTable table = new TestTable("account" + TestServer.number());
        table.sql("create table TABLE (" + columns + ")");
        return table;
    }

    TableStore store() {
        return new TableStore(name, "username");
    }

    /** Statements that have {@code TABLE} in place of its name. */
    void sql(String... statements) {
        for (String statement : statements) {
            TestServer.sql(statement.replace("TABLE", name));
        }
    }

    void insert(String username) {
        sql("insert into TABLE (username) values ('" + username + "')");
    }

    TestFeed follow() {
        return TestFeed.following(store());
    }

    @Override
    public void close() {
        sql("drop table if exists TABLE");
    }
}
