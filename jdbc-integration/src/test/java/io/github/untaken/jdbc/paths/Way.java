package io.github.untaken.jdbc.paths;

import javax.sql.DataSource;

/** How an application sends its SQL. */
public enum Way {
    PLAIN_JDBC {
        @Override
        Writer over(DataSource dataSource, String table) {
            return new PlainJdbcWriter(dataSource, table);
        }
    },
    JDBC_TEMPLATE {
        @Override
        Writer over(DataSource dataSource, String table) {
            return new TemplateWriter(dataSource, table);
        }
    },
    MYBATIS_ANNOTATIONS {
        @Override
        Writer over(DataSource dataSource, String table) {
            return new MyBatisWriter(dataSource, table, false);
        }
    },
    MYBATIS_XML {
        @Override
        Writer over(DataSource dataSource, String table) {
            return new MyBatisWriter(dataSource, table, true);
        }
    };

    /** Writes names in transactions of its own. */
    public interface Writer {
        /** Commits unless the steps throw something, which rolls back and is passed on. */
        void inTransaction(Names.Steps steps);

        /** One insert under autocommit. */
        void insertAlone(String name);
    }

    /** @param table with the columns {@code id}, which the database fills in, and {@code username} */
    abstract Writer over(DataSource dataSource, String table);
}
