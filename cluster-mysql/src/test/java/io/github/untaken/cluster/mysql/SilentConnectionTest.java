package io.github.untaken.cluster.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A network that forgets connections without a word to either side, as one that translates addresses does. New ones it lets through. */
class SilentConnectionTest {

    @Test
    void theLogIsReadOnOverAnotherConnectionWithoutAGap() throws Exception {
        try (TestTable table = TestTable.created();
                Network network = new Network();
                TestFeed told = TestFeed.connected(
                        MySqlFeed.of(network.url()).user("untaken"),
                        Map.of(IdentifierKind.USERNAME, List.of(table.store())))) {
            told.sink().awaitFollowing();
            told.awaitMark();
            for (int i = 0; i < 2; i++) {
                network.forgetAll();
                table.insert("user" + i);
                awaitMark(told);
                assertThat(told.sink().knows("user" + i)).isTrue();
            }
            assertThat(told.sink().gaps()).isEmpty();
        }
    }

    /** As a checker does, which asks again. */
    private static void awaitMark(TestFeed told) {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (true) {
            try {
                told.feed().awaitMark(Duration.ofSeconds(1));
                return;
            } catch (StoreException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw new AssertionError("the log is not read on", e);
                }
            }
        }
    }

    private static final class Network implements AutoCloseable {
        private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final List<Flow> flows = new CopyOnWriteArrayList<>();

        Network() throws IOException {
            start(() -> {
                while (true) {
                    Socket here = door.accept();
                    Socket there = new Socket(InetAddress.getLoopbackAddress(), TestServer.RUNNING.port());
                    Flow flow = new Flow(here, there);
                    flows.add(flow);
                    start(() -> flow.carry(here, there));
                    start(() -> flow.carry(there, here));
                }
            });
        }

        String url() {
            return TestServer.url().replace(":" + TestServer.RUNNING.port(), ":" + door.getLocalPort());
        }

        void forgetAll() {
            flows.forEach(flow -> flow.forgotten = true);
        }

        @Override
        public void close() throws IOException {
            door.close();
            for (Flow flow : flows) {
                flow.here.close();
                flow.there.close();
            }
        }

        private interface Work {
            void run() throws IOException;
        }

        private static void start(Work work) {
            Thread thread = new Thread(() -> {
                try {
                    work.run();
                } catch (IOException e) {
                    // closed
                }
            });
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static final class Flow {
        private final Socket here;
        private final Socket there;
        private volatile boolean forgotten;

        Flow(Socket here, Socket there) {
            this.here = here;
            this.there = there;
        }

        /** What is forgotten is read all the same: nobody notices. */
        void carry(Socket from, Socket to) throws IOException {
            byte[] bytes = new byte[8192];
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                if (!forgotten) {
                    out.write(bytes, 0, read);
                }
            }
            if (!forgotten) {
                to.close();
            }
        }
    }
}
