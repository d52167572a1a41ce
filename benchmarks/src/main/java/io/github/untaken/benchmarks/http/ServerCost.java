package io.github.untaken.benchmarks.http;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * What this process, in which the server runs, has used so far.
 *
 * @param cpuNanos of the processors, its compiler and collector included
 * @param allocatedBytes by each thread that is alive, by its id
 */
record ServerCost(long cpuNanos, Map<Long, Long> allocatedBytes) {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    static ServerCost now() {
        long[] ids = THREADS.getAllThreadIds();
        long[] bytes = THREADS.getThreadAllocatedBytes(ids);
        Map<Long, Long> ofThreads = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            if (bytes[i] >= 0) { // -1 of a thread that has just ended
                ofThreads.put(ids[i], bytes[i]);
            }
        }
        return new ServerCost(SYSTEM.getProcessCpuTime(), ofThreads);
    }

    long cpuNanosSince(ServerCost before) {
        return cpuNanos - before.cpuNanos;
    }

    /** By all threads that are still alive. What one allocated before it ended is forgotten with it. */
    long allocatedBytesSince(ServerCost before) {
        long sum = 0;
        for (Map.Entry<Long, Long> ofThread : allocatedBytes.entrySet()) {
            sum += ofThread.getValue() - before.allocatedBytes.getOrDefault(ofThread.getKey(), 0L);
        }
        return sum;
    }
}
