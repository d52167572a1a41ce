package io.github.untaken.benchmarks.subjects;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.stream.Stream;

/** What one does without any of this: asks an indexed table, here of an H2 on disk in the same JVM, no network between. */
final class IndexedTable extends Subject implements RemovableSubject {
    private static final int AT_ONCE = 10_000;

    private final Path directory;
    private final Connection connection;
    private final PreparedStatement inserting;
    private final PreparedStatement deleting;
    private final PreparedStatement asking;
    private int waiting;
    private boolean finished;

    IndexedTable() {
        try {
            directory = Files.createTempDirectory("taken");
            connection = DriverManager.getConnection("jdbc:h2:file:" + directory.resolve("taken"), "sa", "");
            try (Statement statement = connection.createStatement()) {
                statement.execute("create table taken (name varchar(40) not null)");
            }
            inserting = connection.prepareStatement("insert into taken values (?)");
            deleting = connection.prepareStatement("delete from taken where name = ?");
            asking = connection.prepareStatement("select 1 from taken where name = ?");
        } catch (IOException | SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean add(String key) {
        try {
            inserting.setString(1, key);
            if (finished) {
                inserting.executeUpdate();
                return true;
            }
            inserting.addBatch();
            if (++waiting == AT_ONCE) {
                inserting.executeBatch();
                waiting = 0;
            }
            return true;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The index comes last, as a bulk load is done. */
    @Override
    public void finish() {
        try (Statement statement = connection.createStatement()) {
            inserting.executeBatch();
            statement.execute("create unique index taken_name on taken (name)");
            statement.execute("checkpoint sync");
            finished = true;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean mightContain(String key) {
        try {
            asking.setString(1, key);
            try (ResultSet row = asking.executeQuery()) {
                return row.next();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void remove(String key) {
        try {
            deleting.setString(1, key);
            deleting.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public long bytesOutsideHeap() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(Path::toFile).mapToLong(File::length).sum();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        } catch (IOException | SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
