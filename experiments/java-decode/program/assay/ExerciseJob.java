package assay;

import org.json.JSONObject;

/** Repeats the operation while a recorder observes the process. */
final class ExerciseJob {
    /** Between two readings of the clock. */
    private static final double STRETCH_MS = 20;
    private static final double MIN_WARM_UP_MS = 1500;

    private ExerciseJob() {
    }

    /**
     * @param work `{ warmUpMs, recordMs }`, with a possibly longer warm-up, or `{ passes }`: exactly this
     *   many, without warm-up
     * @return `Exercise` of the worker protocol
     */
    static JSONObject exercise(final Decoding decoding, final JSONObject work) {
        boolean isFixed = work.has("passes");
        int stretch = isFixed ? work.getInt("passes") : warmUp(decoding, work.getDouble("warmUpMs"));
        double recordMs = isFixed ? 0 : work.getDouble("recordMs");
        CollectionCounts before = CollectionCounts.now();
        double startMs = Clock.nowMs();
        long passes = 0;
        double endMs;
        do {
            decoding.run(stretch);
            passes += stretch;
            endMs = Clock.nowMs();
        } while (endMs - startMs < recordMs);
        return new JSONObject()
                .put("documents", passes * decoding.documentsPerPass())
                .put("wallMs", endMs - startMs)
                .put("window", new JSONObject().put("startMs", startMs).put("endMs", endMs))
                .put("collections", CollectionCounts.now().since(before).describe());
    }

    /** @return passes per stretch, at the latest pace */
    private static int warmUp(final Decoding decoding, final double warmUpMs) {
        // Recorders request the warm-up of other runtimes, and methods without compiled code have no name in a profile.
        double leastMs = Math.max(warmUpMs, MIN_WARM_UP_MS);
        WarmUp warmUp = new WarmUp(leastMs, 0, leastMs);
        warmUp.run(decoding);
        return warmUp.passesIn(STRETCH_MS);
    }
}
