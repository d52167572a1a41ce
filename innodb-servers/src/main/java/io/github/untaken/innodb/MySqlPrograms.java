package io.github.untaken.innodb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The MySQL that {@code databases/mysql-server} has unpacked, run with the C library that was unpacked with it. */
final class MySqlPrograms implements Programs {
    private static final Path ROOT = Path.of("..", "databases", "target", "mysql", "server")
            .toAbsolutePath()
            .normalize();

    static boolean areThere() {
        return Files.isExecutable(ROOT.resolve("usr/sbin/mysqld"));
    }

    @Override
    public void install(Path data) throws IOException, InterruptedException {
        Path log = data.resolveSibling(data.getFileName() + "-install.log");
        List<String> command = new ArrayList<>(command());
        command.addAll(List.of("--datadir=" + data, "--initialize-insecure"));
        command.addAll(Programs.asRoot());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = process.waitFor(3, TimeUnit.MINUTES);
        if (!ended) {
            process.destroyForcibly();
        }
        if (!ended || process.exitValue() != 0) {
            throw new IOException("no files for MySQL could be made; " + log + " says why");
        }
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
