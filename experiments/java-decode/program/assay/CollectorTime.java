package assay;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Time that the garbage collector has used, from the kernel: the serial collector runs on one thread of the
 * JVM while all others wait. A collection of the young generation takes a tenth of the millisecond in which
 * the JVM itself counts.
 */
final class CollectorTime implements AutoCloseable {
    private static final String THREAD = "VM Thread";
    private static final int MAX_BYTES = 128;

    private final RandomAccessFile schedule;
    private final byte[] bytes = new byte[MAX_BYTES];

    /** @throws IOException if the kernel does not count the time of threads */
    CollectorTime() throws IOException {
        for (Path thread : ProcessUsage.listThreads()) {
            if (Files.readString(thread.resolve("comm")).strip().equals(THREAD)) {
                schedule = new RandomAccessFile(thread.resolve("schedstat").toFile(), "r");
                return;
            }
        }
        throw new IOException("this JVM has no thread named '" + THREAD + "'");
    }

    /**
     * Makes no string: a new use of that code would discard what was compiled for the measured operation.
     *
     * @return nanoseconds since the start of the JVM
     */
    long nanos() {
        int length;
        try {
            schedule.seek(0);
            length = schedule.read(bytes);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        long nanos = 0;
        for (int index = 0; index < length && bytes[index] != ' '; index++) {
            nanos = 10 * nanos + bytes[index] - '0';
        }
        return nanos;
    }

    @Override
    public void close() throws IOException {
        schedule.close();
    }
}
