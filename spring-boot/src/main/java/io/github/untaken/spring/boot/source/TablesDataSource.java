package io.github.untaken.spring.boot.source;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.IdentifierTable;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.WatchedDataSource;
import io.github.untaken.spring.boot.setup.UntakenSetupException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

/** Puts a watch around the application's data source, or the primary one of several, for the tables that properties name. */
final class TablesDataSource implements BeanPostProcessor, BeanFactoryAware {
    /** A column, and which rows count. */
    private static final Pattern CONDITIONAL =
            Pattern.compile("(\\S.*?)\\s+where\\b\\s*(.*)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final List<IdentifierTable> tables;
    private @Nullable BeanFactory beans;
    private volatile @Nullable JdbcIdentifiers identifiers;

    TablesDataSource(Environment environment) {
        this.tables = tables(environment);
    }

    /** @throws UntakenSetupException if one of them is no table with a column */
    static List<IdentifierTable> tables(Environment environment) {
        Bindable<Map<String, List<String>>> all = Bindable.of(ResolvableType.forClassWithGenerics(
                Map.class,
                ResolvableType.forClass(String.class),
                ResolvableType.forClassWithGenerics(List.class, String.class)));
        List<IdentifierTable> tables = new ArrayList<>();
        Binder.get(environment)
                .bind("untaken.tables", all)
                .orElse(Map.of())
                .forEach((kind, columns) -> columns.forEach(column -> tables.add(table(kind, column.strip()))));
        return tables;
    }

    private static IdentifierTable table(String kind, String text) {
        Matcher conditional = CONDITIONAL.matcher(text);
        String column = conditional.matches() ? conditional.group(1) : text;
        int dot = column.lastIndexOf('.');
        if (dot < 1 || dot == column.length() - 1) {
            throw refused(kind, text, "it names no table and column", null);
        }
        try {
            IdentifierTable table =
                    IdentifierTable.of(column.substring(0, dot), column.substring(dot + 1), IdentifierKind.of(kind));
            return conditional.matches() ? table.where(conditional.group(2)) : table;
        } catch (IllegalArgumentException e) {
            throw refused(kind, text, String.valueOf(e.getMessage()), e);
        }
    }

    private static UntakenSetupException refused(
            String kind, String column, String why, @Nullable IllegalArgumentException cause) {
        return new UntakenSetupException(
                "untaken.tables." + kind + " is '" + column + "': " + why,
                "Write the table, a dot and the column, such as 'users.username', with the schema before it if"
                        + " needed. If only some rows count, add them: 'users.username where deleted_at is null'."
                        + " A comma starts the next column; write a condition with commas as untaken.tables." + kind
                        + "[0].",
                cause);
    }

    @Override
    public void setBeanFactory(BeanFactory factory) {
        beans = factory;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (!(bean instanceof DataSource pool) || bean instanceof WatchedDataSource || !isTheOne(name)) {
            return bean;
        }
        JdbcIdentifiers made = JdbcIdentifiers.of(pool, tables);
        try {
            DataSource watched = WatchedDataSource.of(pool, made);
            identifiers = made;
            return watched;
        } catch (NoClassDefFoundError e) {
            throw new UntakenSetupException(
                    "untaken.tables is set, but the data source cannot be watched: datasource-proxy is missing.",
                    "Add the dependency net.ttddyy:datasource-proxy:1.11.0.",
                    e);
        }
    }

    private boolean isTheOne(String name) {
        if (!(beans instanceof ConfigurableListableBeanFactory factory)) {
            return true;
        }
        String[] all = factory.getBeanNamesForType(DataSource.class, true, false);
        return all.length < 2
                || factory.containsBeanDefinition(name)
                        && factory.getBeanDefinition(name).isPrimary();
    }

    /** @throws UntakenSetupException if there was no data source to watch */
    JdbcIdentifiers identifiers() {
        if (identifiers == null) {
            throw new UntakenSetupException(
                    "untaken.tables is set, but there is no single or primary data source.",
                    "Mark one of the beans of type DataSource with @Primary, or make the JdbcIdentifiers a bean"
                            + " of your own.",
                    null);
        }
        return Objects.requireNonNull(identifiers);
    }
}
