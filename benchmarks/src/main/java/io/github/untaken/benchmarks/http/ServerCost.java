package io.github.untaken.benchmarks.http;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What this process, in which the server runs, has used so far: of the processors, its compiler and collector included; of the
 * heap, by the threads that are still alive.
 */
record ServerCost(long cpuNanos, long allocatedBytes) {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    static ServerCost now() {
        long bytes = 0;
        for (long ofThread : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
            bytes += Math.max(0, ofThread); // -1 of a thread that has just ended
        }
        return new ServerCost(SYSTEM.getProcessCpuTime(), bytes);
    }

    ServerCost since(ServerCost before) {
        return new ServerCost(cpuNanos - before.cpuNanos, allocatedBytes - before.allocatedBytes);
    }
}
