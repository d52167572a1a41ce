package io.github.untaken.sample.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.ThreadMXBean;
import io.github.untaken.sample.database.MadeUpAccounts;
import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.Set;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class HashSetMemoryTest {
    private static final int NAMES = 150_000;
    private static final int TABLE = 262_144;

    @Test
    void computesWhatTheMachineAllocates() {
        HotSpotDiagnosticMXBean options = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        assumeThat(options.getVMOption("UseCompressedOops").getValue()).isEqualTo("true");
        assumeThat(System.getProperty("os.arch")).containsAnyOf("64");
        char[][] letters = new char[NAMES][];
        for (int i = 0; i < NAMES; i++) {
            letters[i] = MadeUpAccounts.username(i).toCharArray();
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        Set<String> set = new HashSet<>(TABLE); // its table is made once, as the sum counts it
        for (char[] name : letters) {
            set.add(new String(name));
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(set).hasSize(NAMES);
        assertThat(HashSetMemory.bytes(NAMES, MadeUpAccounts::username))
                .isCloseTo(allocated, Percentage.withPercentage(2));
    }

    @Test
    void nothingTakesNothing() {
        assertThat(HashSetMemory.bytes(0, i -> "")).isZero();
    }
}
