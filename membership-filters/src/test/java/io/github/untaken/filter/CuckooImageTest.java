package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CuckooImageTest {

    /** What all of a copy holds is tested in the package of generations; there an entry seldom moves at just that moment. */
    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES)
    void aTableIsCopiedWhileNobodyWrites() throws InterruptedException {
        Object writers = new Object();
        CuckooImage image =
                new CuckooImage(1, 0, CuckooDirectory.empty(0, 2, new long[CuckooTable.STRIPES], long[]::new), writers);
        Thread copying = new Thread(() -> image.copy(0, new long[image.words()]));
        synchronized (writers) {
            copying.start();
            while (!waitsFor(writers, copying)) {
                assertThat(copying.getState()).isNotEqualTo(Thread.State.TERMINATED);
                Thread.onSpinWait();
            }
        }
        copying.join();
    }

    private static boolean waitsFor(Object lock, Thread thread) {
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId());
        return info != null
                && info.getLockInfo() != null
                && info.getLockInfo().getIdentityHashCode() == System.identityHashCode(lock);
    }
}
