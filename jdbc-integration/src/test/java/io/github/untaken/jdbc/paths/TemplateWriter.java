package io.github.untaken.jdbc.paths;

import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's template, in transactions as {@code @Transactional} has them. */
final class TemplateWriter implements Way.Writer {
    private final JdbcTemplate template;
    private final TransactionTemplate required;
    private final TransactionTemplate requiresNew;
    private final TransactionTemplate nested;
    private final String table;

    TemplateWriter(DataSource dataSource, String table) {
        this.template = new JdbcTemplate(dataSource);
        this.table = table;
        DataSourceTransactionManager transactions = new DataSourceTransactionManager(dataSource);
        this.required = new TransactionTemplate(transactions);
        this.requiresNew = new TransactionTemplate(transactions);
        this.requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        this.nested = new TransactionTemplate(transactions);
        this.nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
    }

    @Override
    public void inTransaction(Names.Steps steps) {
        required.executeWithoutResult(status -> steps.on(new ByTemplate()));
    }

    @Override
    public void insertAlone(String name) {
        new ByTemplate().insert(name);
    }

    private final class ByTemplate implements Names {

        @Override
        public void insert(String name) {
            template.update(
                    connection -> {
                        var statement = connection.prepareStatement(
                                "insert into " + table + " (username) values (?)", Statement.RETURN_GENERATED_KEYS);
                        statement.setString(1, name);
                        return statement;
                    },
                    new GeneratedKeyHolder());
        }

        @Override
        public void insertAll(List<String> names) {
            template.batchUpdate(
                    "insert into " + table + " (username) values (?)",
                    names.stream().map(name -> new Object[] {name}).toList());
        }

        @Override
        public void rename(String name, String to) {
            template.update("update " + table + " set username = ? where username = ?", to, name);
        }

        @Override
        public void delete(String name) {
            template.update("delete from " + table + " where username = ?", name);
        }

        @Override
        public void nested(Steps steps) {
            try {
                nested.executeWithoutResult(status -> steps.on(this));
            } catch (RuntimeException e) {
                // back at the savepoint
            }
        }

        @Override
        public void apart(Steps steps) {
            requiresNew.executeWithoutResult(status -> steps.on(this));
        }
    }
}
