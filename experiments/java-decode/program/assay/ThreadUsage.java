package assay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Resource usage of one thread so far, from the kernel.
 *
 * @param cpuNanos    CPU time in user and kernel mode
 * @param systemTicks CPU time in kernel mode, in hundredths of a second
 * @param voluntary   voluntary context switches
 * @param involuntary involuntary context switches
 */
record ThreadUsage(long cpuNanos, long systemTicks, long voluntary, long involuntary) {
    static final ThreadUsage NONE = new ThreadUsage(0, 0, 0, 0);

    /** Index of `stime` in stat, after the name of the program. */
    private static final int SYSTEM_TICKS = 12;

    /**
     * @param thread its directory in /proc
     * @throws IOException if it has ended
     */
    static ThreadUsage read(final Path thread) throws IOException {
        String[] schedule = Files.readString(thread.resolve("schedstat")).split(" ");
        String stat = Files.readString(thread.resolve("stat"));
        List<String> status = Files.readAllLines(thread.resolve("status"));
        return new ThreadUsage(
                Long.parseLong(schedule[0]),
                Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[SYSTEM_TICKS]),
                readCount(status, "voluntary_ctxt_switches:"),
                readCount(status, "nonvoluntary_ctxt_switches:"));
    }

    ThreadUsage plus(final ThreadUsage other) {
        return new ThreadUsage(
                cpuNanos + other.cpuNanos,
                systemTicks + other.systemTicks,
                voluntary + other.voluntary,
                involuntary + other.involuntary);
    }

    ThreadUsage minus(final ThreadUsage other) {
        return new ThreadUsage(
                cpuNanos - other.cpuNanos,
                systemTicks - other.systemTicks,
                voluntary - other.voluntary,
                involuntary - other.involuntary);
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
