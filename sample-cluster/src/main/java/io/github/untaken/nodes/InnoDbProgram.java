package io.github.untaken.nodes;

import io.github.untaken.innodb.Product;
import io.github.untaken.innodb.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** MariaDB or MySQL, whose commits are on the disk when they are acknowledged. */
final class InnoDbProgram implements ServerProgram {
    private final Path folder;
    private final int port;
    private final Product product;
    private final List<String> settings = new ArrayList<>(
            List.of("--log-bin=log", "--server-id=1", "--sync-binlog=1", "--innodb-flush-log-at-trx-commit=1"));
    private @Nullable Server running;

    InnoDbProgram(Path folder, int port, Product product, String... settings) {
        this.folder = folder;
        this.port = port;
        this.product = product;
        this.settings.addAll(Arrays.asList(settings));
    }

    @Override
    public void start() {
        try {
            Files.createDirectories(folder);
            Server server = Server.in(folder, product, port, settings.toArray(String[]::new));
            running = server;
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }

    @Override
    public void stop() throws IOException {
        end(Server::stop);
    }

    @Override
    public void kill() throws IOException {
        end(Server::kill);
    }

    private interface End {
        void end(Server server) throws InterruptedException;
    }

    private void end(End how) throws IOException {
        Server ended = running;
        running = null;
        if (ended != null) {
            try {
                how.end(ended);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
    }
}
