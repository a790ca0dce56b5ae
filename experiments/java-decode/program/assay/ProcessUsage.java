package assay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.json.JSONObject;

/**
 * Resource usage of all threads of the process so far, including those of the compiler and the collector.
 * From the kernel by thread, because the JDK has a resolution of 10 ms.
 *
 * @param threads     by their directories in /proc
 * @param collections by kind
 */
record ProcessUsage(Map<Path, ThreadUsage> threads, CollectionCounts collections) {
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final double NANOS_PER_MS = 1e6;
    /** Ticks of /proc are hundredths of a second on every architecture of Linux. */
    private static final double MS_PER_TICK = 10;

    static ProcessUsage now() {
        Map<Path, ThreadUsage> threads = new HashMap<>();
        for (Path thread : listThreads()) {
            try {
                threads.put(thread, ThreadUsage.read(thread));
            } catch (IOException ended) {
                // The thread has ended since they were listed.
                continue;
            }
        }
        return new ProcessUsage(threads, CollectionCounts.now());
    }

    /**
     * Counts threads that still exist: the JVM ends idle compiler threads, whose usage is lost.
     *
     * @return the resource usage in `Measurement` of the worker protocol
     */
    JSONObject since(final ProcessUsage before) {
        ThreadUsage used = ThreadUsage.NONE;
        for (Map.Entry<Path, ThreadUsage> thread : threads.entrySet()) {
            ThreadUsage earlier = before.threads.getOrDefault(thread.getKey(), ThreadUsage.NONE);
            used = used.plus(thread.getValue().minus(earlier));
        }
        double cpuMs = used.cpuNanos() / NANOS_PER_MS;
        double systemMs = Math.min(cpuMs, used.systemTicks() * MS_PER_TICK);
        CollectionCounts collected = collections.since(before.collections);
        return new JSONObject()
                .put("cpuUserMs", cpuMs - systemMs)
                .put("cpuSystemMs", systemMs)
                .put("gcCount", collected.count())
                .put("gcMs", collected.ms())
                .put("voluntaryContextSwitches", used.voluntary())
                .put("involuntaryContextSwitches", used.involuntary());
    }

    /**
     * Asks Linux to prioritize the session of this process (root only).
     *
     * @return whether it was granted
     */
    static boolean raiseAutogroup() {
        try {
            Files.writeString(Path.of("/proc/self/autogroup"), "-20");
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    /** @return the directories of the threads of this process in /proc */
    static List<Path> listThreads() {
        try (Stream<Path> threads = Files.list(THREADS)) {
            return threads.toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
