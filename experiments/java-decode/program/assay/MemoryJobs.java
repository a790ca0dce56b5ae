package assay;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.json.JSONArray;
import org.json.JSONObject;

/** Measures the allocations of the operation and the garbage collections. */
final class MemoryJobs {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** The optimising compiler removes allocations, so it must have finished. */
    private static final double WARM_UP_MS = 2000;
    private static final double MAX_WARM_UP_MS = 4000;
    private static final double WARM_UP_CALLS = 5000;
    private static final double WINDOW_MS = 20;
    private static final int WINDOWS = 7;
    /** Observe collections until both are reached, … */
    private static final double MIN_WALL_MS = 300;
    private static final int MIN_COLLECTIONS = 20;
    /** … or at most this long. */
    private static final double MAX_WALL_MS = 6000;

    private MemoryJobs() {
    }

    /** @return `AllocationResult` of the worker protocol; the JVM counts the bytes of each thread */
    static JSONObject recordAllocation(final Decoding decoding) {
        int passes = warmUp(decoding);
        int documents = passes * decoding.documentsPerPass();
        JSONArray windows = new JSONArray();
        for (int window = 0; window < WINDOWS; window++) {
            windows.put((double) countBytes(decoding, passes) / documents);
        }
        return new JSONObject()
                .put("kind", "allocation")
                .put("windowHeapBytes", windows)
                .put("offHeapBytes", 0)
                .put("documentsPerWindow", documents)
                .put("collectedWindows", 0)
                .put("bridged", false);
    }

    /** @return `CollectionsResult` of the worker protocol */
    static JSONObject recordCollections(final Decoding decoding) {
        int passes = warmUp(decoding);
        CollectionCounts before = CollectionCounts.now();
        CollectionCounts collected;
        double startMs = Clock.nowMs();
        double wallMs;
        long bytes = 0;
        int windows = 0;
        do {
            bytes += countBytes(decoding, passes);
            windows++;
            wallMs = Clock.nowMs() - startMs;
            collected = CollectionCounts.now().since(before);
        } while (wallMs < MAX_WALL_MS && (wallMs < MIN_WALL_MS || collected.count() < MIN_COLLECTIONS));
        long documents = (long) windows * passes * decoding.documentsPerPass();
        return new JSONObject()
                .put("kind", "collections")
                .put("documents", documents)
                .put("wallMs", wallMs)
                .put("collections", collected.describe())
                .put("allocatedBytes", (double) bytes / documents);
    }

    private static long countBytes(final Decoding decoding, final int passes) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        decoding.run(passes);
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    /** @return passes per window */
    private static int warmUp(final Decoding decoding) {
        WarmUp warmUp = new WarmUp(WARM_UP_MS, WARM_UP_CALLS, MAX_WARM_UP_MS);
        warmUp.run(decoding);
        return warmUp.passesIn(WINDOW_MS);
    }
}
