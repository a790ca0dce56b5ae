package assay;

import java.io.IOException;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.json.JSONArray;
import org.json.JSONObject;

/**
 * Times the operation: warm-up until it has settled, then batches with only a reading of the reference loop
 * in between.
 */
final class MeasureJob {
    private static final double NANOS_PER_MS = 1e6;

    private MeasureJob() {
    }

    /**
     * @return `Measurement` of the worker protocol
     * @throws IOException if the kernel does not count the time of threads
     */
    static JSONObject measure(final Decoding decoding, final JSONObject settings) throws IOException {
        boolean isRaised = ProcessUsage.raiseAutogroup();
        // Once before the warm-up, because the first call loads classes.
        ProcessUsage.now();
        ReferenceLoop.requestCompilation();
        WarmUp warmUp = WarmUp.of(settings);
        warmUp.run(decoding);
        ReferenceLoop.warmUp();
        int passes = warmUp.passesIn(settings.getDouble("batchMs"));
        int batches = settings.getInt("batchCount");
        double[] batchMs = new double[batches];
        // Before each batch and after the last.
        long[] referenceLoopNs = new long[batches + 1];
        long[] collectorNs = new long[batches + 1];
        try (CollectorTime collector = new CollectorTime()) {
            ProcessUsage before = ProcessUsage.now();
            double startMs = Clock.nowMs();
            for (int batch = 0; batch < batches; batch++) {
                collectorNs[batch] = collector.nanos();
                referenceLoopNs[batch] = ReferenceLoop.timeNanos();
                batchMs[batch] = Clock.timeMs(decoding, passes);
            }
            referenceLoopNs[batches] = ReferenceLoop.timeNanos();
            collectorNs[batches] = collector.nanos();
            double wallMs = Clock.nowMs() - startMs;
            ProcessUsage after = ProcessUsage.now();

            int documents = passes * decoding.documentsPerPass();
            return after.since(before)
                    .put("wallMs", wallMs)
                    .put("batchNsPerDocument", list(Arrays.stream(batchMs).map(ms -> ms * NANOS_PER_MS / documents)))
                    .put("documentsPerBatch", documents)
                    .put("batchGcMs", list(IntStream.range(0, batches)
                            .mapToDouble(batch -> (collectorNs[batch + 1] - collectorNs[batch]) / NANOS_PER_MS)))
                    .put("referenceLoopNs", new JSONArray(referenceLoopNs))
                    .put("warmUp", warmUp.describe())
                    .put("autogroupRaised", isRaised);
        }
    }

    private static JSONArray list(final DoubleStream figures) {
        return new JSONArray(figures.toArray());
    }
}
