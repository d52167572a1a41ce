package io.github.untaken.jdbc.paths;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.test.database.Engine;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.conf.RenderQuotedNames;
import org.jooq.conf.Settings;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Libraries that write SQL of their own over a watched data source, each once through the life of a name. */
class OtherLibrariesTest {

    /** What the library is asked for. */
    private interface Library {
        void insert(String name);

        void rename(String name, String to);

        void delete(String name);

        void inTransaction(Runnable steps);
    }

    private static final class GivenUp extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void whatJooqWritesIsKnownAtOnce(Engine engine) {
        try (PathDatabase database = new PathDatabase(EngineTable.on(engine), Pooling.HIKARI_INSIDE)) {
            livesThroughIt(
                    database,
                    new Jooq(engine, database.dataSource(), database.table().name()),
                    DataAccessException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void whatAJdbcClientWritesIsKnownAtOnce(Engine engine) {
        try (PathDatabase database = new PathDatabase(EngineTable.on(engine), Pooling.HIKARI_INSIDE)) {
            livesThroughIt(
                    database, new Client(database.dataSource(), database.table().name()), DuplicateKeyException.class);
        }
    }

    private static void livesThroughIt(
            PathDatabase database, Library library, Class<? extends RuntimeException> refusal) {
        assertThat(database.status("alice")).isEqualTo(Status.AVAILABLE);
        library.inTransaction(() -> {
            library.insert("alice");
            assertThat(database.status("alice")).as("not committed yet").isEqualTo(Status.AVAILABLE);
        });
        library.insert("bob");
        assertAnswersAsCommitted(database, "alice", "bob", "carol");

        library.rename("bob", "carol");
        assertAnswersAsCommitted(database, "alice", "bob", "carol");

        assertThatThrownBy(() -> library.inTransaction(() -> {
                    library.insert("dave");
                    library.insert("alice");
                }))
                .isInstanceOf(refusal);
        assertAnswersAsCommitted(database, "alice", "carol", "dave");

        assertThatThrownBy(() -> library.inTransaction(() -> {
                    library.insert("erin");
                    throw new GivenUp();
                }))
                .isInstanceOf(GivenUp.class);
        assertAnswersAsCommitted(database, "alice", "carol", "erin");

        library.inTransaction(() -> library.delete("alice"));
        assertAnswersAsCommitted(database, "alice", "bob", "carol", "dave", "erin");
        assertThat(database.committed()).containsExactly("carol");
    }

    private static void assertAnswersAsCommitted(PathDatabase database, String... names) {
        for (String name : names) {
            assertThat(database.status(name))
                    .as(name)
                    .isEqualTo(database.isCommitted(name) ? Status.TAKEN : Status.AVAILABLE);
        }
        database.assertNothingCommittedIsAvailable();
        assertThat(database.state()).as("nothing was unseen").isEqualTo(KindState.READY);
    }

    /** jOOQ hands the context of a transaction to those who work in it. */
    private static final class Jooq implements Library {
        private static final Field<String> USERNAME = DSL.field(DSL.name("username"), SQLDataType.VARCHAR(40));
        private static final Field<Long> ID = DSL.field(DSL.name("id"), SQLDataType.BIGINT);

        private final Engine engine;
        private final Table<Record> table;
        private DSLContext context;

        Jooq(Engine engine, DataSource dataSource, String table) {
            this.engine = engine;
            this.table = DSL.table(DSL.name(table));
            this.context = DSL.using(
                    dataSource,
                    engine == Engine.H2 ? SQLDialect.H2 : SQLDialect.POSTGRES,
                    new Settings().withRenderQuotedNames(RenderQuotedNames.NEVER));
        }

        @Override
        public void insert(String name) {
            var insert = context.insertInto(table, USERNAME).values(name);
            if (engine == Engine.H2) { // there jOOQ selects from a FINAL TABLE for it, which is not understood
                insert.execute();
            } else {
                assertThat(insert.returningResult(ID).fetchSingle().get(ID)).isPositive();
            }
        }

        @Override
        public void rename(String name, String to) {
            context.update(table).set(USERNAME, to).where(USERNAME.eq(name)).execute();
        }

        @Override
        public void delete(String name) {
            context.deleteFrom(table).where(USERNAME.eq(name)).execute();
        }

        @Override
        public void inTransaction(Runnable steps) {
            DSLContext outside = context;
            try {
                outside.transaction(transaction -> {
                    context = transaction.dsl();
                    steps.run();
                });
            } finally {
                context = outside;
            }
        }
    }

    private record Client(JdbcClient client, TransactionTemplate transactions, String table) implements Library {
        Client(DataSource dataSource, String table) {
            this(
                    JdbcClient.create(dataSource),
                    new TransactionTemplate(new DataSourceTransactionManager(dataSource)),
                    table);
        }

        @Override
        public void insert(String name) {
            client.sql("insert into " + table + " (username) values (:name)")
                    .param("name", name)
                    .update();
        }

        @Override
        public void rename(String name, String to) {
            client.sql("update " + table + " set username = ? where username = ?")
                    .params(to, name)
                    .update();
        }

        @Override
        public void delete(String name) {
            client.sql("delete from " + table + " where username in (:names)")
                    .param("names", List.of(name))
                    .update();
        }

        @Override
        public void inTransaction(Runnable steps) {
            transactions.executeWithoutResult(status -> steps.run());
        }
    }
}
