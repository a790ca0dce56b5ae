package assay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.json.JSONObject;

/**
 * What the process used so far, all of its threads together, those of the compiler and the collector
 * included. The kernel tells it of each thread; nothing of the JDK tells it finer than in 10 ms.
 */
record ProcessUsage(
        double wallMs, double cpuMs, double systemMs, long voluntary, long involuntary, CollectionCounts collections) {
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final double NANOS_PER_MS = 1e6;
    /** Ticks of /proc are hundredths of a second on every architecture of Linux. */
    private static final double MS_PER_TICK = 10;
    /** Place of `stime` in stat, counted from behind the name of the program. */
    private static final int SYSTEM_TICKS = 12;

    static ProcessUsage now() {
        long cpuNanos = 0;
        long systemTicks = 0;
        long voluntary = 0;
        long involuntary = 0;
        for (Path thread : listThreads()) {
            try {
                String[] schedule = Files.readString(thread.resolve("schedstat")).split(" ");
                String stat = Files.readString(thread.resolve("stat"));
                List<String> status = Files.readAllLines(thread.resolve("status"));
                cpuNanos += Long.parseLong(schedule[0]);
                systemTicks += Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[SYSTEM_TICKS]);
                voluntary += readCount(status, "voluntary_ctxt_switches:");
                involuntary += readCount(status, "nonvoluntary_ctxt_switches:");
            } catch (IOException ended) {
                // The thread was there when they were listed and is not any more.
                continue;
            }
        }
        double cpuMs = cpuNanos / NANOS_PER_MS;
        double systemMs = systemTicks * MS_PER_TICK;
        return new ProcessUsage(Clock.nowMs(), cpuMs, systemMs, voluntary, involuntary, CollectionCounts.now());
    }

    /** @return the part of `Measurement` of the worker protocol that says what was used */
    JSONObject since(final ProcessUsage before) {
        double cpu = cpuMs - before.cpuMs;
        double system = Math.min(cpu, systemMs - before.systemMs);
        CollectionCounts collected = collections.since(before.collections);
        return new JSONObject()
                .put("cpuUserMs", cpu - system)
                .put("cpuSystemMs", system)
                .put("wallMs", wallMs - before.wallMs)
                .put("gcCount", collected.count())
                .put("gcMs", collected.ms())
                .put("voluntaryContextSwitches", voluntary - before.voluntary)
                .put("involuntaryContextSwitches", involuntary - before.involuntary);
    }

    /**
     * Asks Linux to weigh the session of this process more than others (root only).
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

    private static List<Path> listThreads() {
        try (Stream<Path> threads = Files.list(THREADS)) {
            return threads.toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static long readCount(final List<String> status, final String name) {
        for (String line : status) {
            if (line.startsWith(name)) {
                return Long.parseLong(line.substring(name.length()).trim());
            }
        }
        return 0;
    }
}
