package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A network that forgets connections without a word to either side, as one that translates addresses does. New ones it lets through. */
class SilentConnectionTest {

    @Test
    void theLogIsReadOnOverAnotherConnectionWithoutAGap() throws Exception {
        try (AutoCloseable never = TestServer.setting("wal_sender_timeout", "0");
                AutoCloseable limit = TestServer.setting("max_slot_wal_keep_size", "1GB");
                TestTable table = TestTable.published();
                Network network = new Network()) {
            PostgreSqlFeed feed = PostgreSqlFeed.of(network.url())
                    .user(TestServer.USER)
                    .publication(table.name())
                    .build();
            RecordingSink sink = new RecordingSink();
            feed.covers(Map.of(IdentifierKind.USERNAME, List.of(table.store())));
            feed.connect(sink);
            try (TestFeed told = new TestFeed(feed, sink)) {
                sink.awaitFollowing();
                told.awaitMark();
                for (int i = 0; i < 2; i++) {
                    network.forgetAll();
                    table.insert("user" + i);
                    SlotTest.awaitMark(told);
                    assertThat(sink.knows("user" + i)).isTrue();
                }
                assertThat(sink.gaps()).isEmpty();
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
                    Socket there = new Socket(InetAddress.getLoopbackAddress(), TestServer.port());
                    Flow flow = new Flow(here, there);
                    flows.add(flow);
                    start(() -> flow.carry(here, there));
                    start(() -> flow.carry(there, here));
                }
            });
        }

        String url() {
            return "jdbc:postgresql://localhost:" + door.getLocalPort() + "/postgres";
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
