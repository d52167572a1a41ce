package io.github.untaken.innodb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The MySQL that {@code databases/mysql-server} has unpacked, run with the C library that was unpacked with it. */
final class MySqlPrograms implements Programs {
    /** From a module's folder, or from the one with all modules. */
    private static final Path ROOT = Stream.of("..", ".")
            .map(up -> Path.of(up, "databases", "target", "mysql", "server")
                    .toAbsolutePath()
                    .normalize())
            .filter(Files::exists)
            .findFirst()
            .orElse(Path.of("nowhere"));

    static boolean areThere() {
        return Files.isExecutable(ROOT.resolve("usr/sbin/mysqld"));
    }

    @Override
    public void install(Path data) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(command());
        command.addAll(List.of("--datadir=" + data, "--initialize-insecure"));
        command.addAll(Programs.asRoot());
        install(data, command);
    }

    @Override
    public List<String> command() {
        return List.of(
                ROOT.resolve("usr/lib64/ld-linux-x86-64.so.2").toString(),
                "--library-path",
                ROOT.resolve("usr/lib/x86_64-linux-gnu").toString(),
                ROOT.resolve("usr/sbin/mysqld").toString(),
                "--no-defaults",
                "--basedir=" + ROOT.resolve("usr"),
                "--secure-file-priv=NULL",
                "--mysqlx=OFF",
                "--auto-generate-certs=OFF", // as on MariaDB
                "--caching-sha2-password-auto-generate-rsa-keys=OFF",
                "--cte-max-recursion-depth=1000000"); // for sequences of numbers
    }

    @Override
    public List<Path> libraries() {
        return List.of();
    }
}
