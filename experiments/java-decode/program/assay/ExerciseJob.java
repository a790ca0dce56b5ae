package assay;

import org.json.JSONObject;

/** Keeps the operation busy while a recorder looks on. */
final class ExerciseJob {
    /** Between two looks at the clock. */
    private static final double STRETCH_MS = 20;
    private static final double LEAST_WARM_UP_MS = 1500;

    private ExerciseJob() {
    }

    /**
     * @param work `{ warmUpMs, recordMs }`, whose warm-up may take longer, or `{ passes }`: exactly so
     *             many and nothing before them
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

    /** @return passes in a stretch, at the pace of the end */
    private static int warmUp(final Decoding decoding, final double warmUpMs) {
        // Recorders ask for what other runtimes take, and what is not compiled yet has no name in a profile.
        double leastMs = Math.max(warmUpMs, LEAST_WARM_UP_MS);
        WarmUp warmUp = new WarmUp(leastMs, 0, leastMs);
        warmUp.run(decoding);
        return warmUp.passesIn(STRETCH_MS);
    }
}
