package assay;

/**
 * Fixed work whose duration shows the current speed of the processor, which varies with its frequency and
 * with neighbours on a shared core. Same arithmetic as that of the JavaScript worker: six independent chains
 * of integers in registers, without memory access.
 */
final class ReferenceLoop {
    /** Rounds of arithmetic per reading; some 80 µs. */
    private static final int ROUNDS = 50_000;
    /** Calls after which the optimising compiler has the whole method in its queue. They are short: a long one
     * would be compiled while it runs, for entry in the middle of the loop alone. */
    private static final int SHORT_CALLS = 20_000;
    private static final int SHORT_ROUNDS = 50;
    private static final int WARM_UP_READINGS = 20;
    /** The latest result, kept to prevent dead-code elimination. */
    private static volatile int last;

    private ReferenceLoop() {
    }

    /** Calls the loop often enough to be compiled, which the JVM does in the background. */
    static void requestCompilation() {
        for (int call = 0; call < SHORT_CALLS; call++) {
            last = turn(SHORT_ROUNDS);
        }
    }

    /** Takes readings that do not count. Call it when the compiler has had time. */
    static void warmUp() {
        for (int reading = 0; reading < WARM_UP_READINGS; reading++) {
            timeNanos();
        }
    }

    /** @return one reading, in nanoseconds */
    static long timeNanos() {
        long start = System.nanoTime();
        last = turn(ROUNDS);
        return System.nanoTime() - start;
    }

    private static int turn(final int rounds) {
        int a = 1;
        int b = 2;
        int c = 3;
        int d = 4;
        int e = 5;
        int f = 6;
        for (int round = 0; round < rounds; round++) {
            a = a * 1_664_525 + round;
            b = b * 22_695_477 + round;
            c = c * 69_069 + round;
            d = (d ^ d << 1) + round;
            e = e + (e >> 3) ^ round;
            f = (f ^ f >> 5) + round;
        }
        return a ^ b ^ c ^ d ^ e ^ f;
    }
}
