package assay;

import org.json.JSONArray;
import org.json.JSONObject;

/** Times the operation: warm-up until it has settled, then batches with nothing in between. */
final class MeasureJob {
    private static final double NANOS_PER_MS = 1e6;

    private MeasureJob() {
    }

    /** @return `Measurement` of the worker protocol */
    static JSONObject measure(final Decoding decoding, final JSONObject settings) {
        boolean isRaised = ProcessUsage.raiseAutogroup();
        // Once before the warm-up, because the first call loads classes.
        ProcessUsage.now();
        WarmUp warmUp = WarmUp.of(settings);
        warmUp.run(decoding);
        int passes = warmUp.passesIn(settings.getDouble("batchMs"));
        double[] batchMs = new double[settings.getInt("batchCount")];
        ProcessUsage before = ProcessUsage.now();
        double startMs = Clock.nowMs();
        for (int batch = 0; batch < batchMs.length; batch++) {
            batchMs[batch] = Clock.timeMs(decoding, passes);
        }
        double wallMs = Clock.nowMs() - startMs;
        ProcessUsage after = ProcessUsage.now();

        int documents = passes * decoding.documentsPerPass();
        JSONArray figures = new JSONArray();
        for (double ms : batchMs) {
            figures.put(ms * NANOS_PER_MS / documents);
        }
        return after.since(before)
                .put("wallMs", wallMs)
                .put("batchNsPerDocument", figures)
                .put("documentsPerBatch", documents)
                .put("warmUp", warmUp.describe())
                .put("autogroupRaised", isRaised);
    }
}
