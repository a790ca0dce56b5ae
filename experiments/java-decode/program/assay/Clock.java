package assay;

/** Time of CLOCK_MONOTONIC, which HotSpot uses for nanoTime on Linux. */
final class Clock {
    private static final double NANOS_PER_MS = 1e6;

    private Clock() {
    }

    static double nowMs() {
        return System.nanoTime() / NANOS_PER_MS;
    }

    /** @return milliseconds of this many passes */
    static double timeMs(final Decoding decoding, final int passes) {
        long start = System.nanoTime();
        decoding.run(passes);
        return (System.nanoTime() - start) / NANOS_PER_MS;
    }
}
