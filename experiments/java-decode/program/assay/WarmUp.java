package assay;

import java.util.ArrayList;
import java.util.List;
import org.json.JSONObject;

/** Paces a warm-up like the JavaScript worker: chunks of passes until their time has settled. */
final class WarmUp {
    /** Chunks of this length show whether the code has settled. */
    private static final double CHUNK_MS = 8;
    /** Settled: the last chunk is within this share of the one two before it. */
    private static final double SETTLED_SHARE = 0.05;
    private static final int MIN_CHUNKS = 4;
    /** Early passes are slow, so a chunk has at most this many times the passes of the one before. */
    private static final int MAX_GROWTH = 8;

    private final double warmUpMs;
    private final double warmUpCalls;
    private final double maxWarmUpMs;
    private final List<Double> passTimesMs = new ArrayList<>();
    private double ms;
    private long calls;

    WarmUp(final double warmUpMs, final double warmUpCalls, final double maxWarmUpMs) {
        this.warmUpMs = warmUpMs;
        this.warmUpCalls = warmUpCalls;
        this.maxWarmUpMs = maxWarmUpMs;
    }

    /** @param settings of a timed job */
    static WarmUp of(final JSONObject settings) {
        return new WarmUp(
                settings.getDouble("warmUpMs"), settings.getDouble("warmUpCalls"), settings.getDouble("maxWarmUpMs"));
    }

    /** Runs chunks until the warm-up is done. */
    void run(final Decoding decoding) {
        int passes = 1;
        do {
            double wallMs = Clock.timeMs(decoding, passes);
            ms += wallMs;
            calls += (long) passes * decoding.documentsPerPass();
            passTimesMs.add(Math.max(wallMs / passes, 1e-6));
            passes = (int) Math.min(passesIn(CHUNK_MS), (long) passes * MAX_GROWTH);
        } while (!isDone());
    }

    /** @return passes that take this long, at the pace of the last chunk; at least one */
    int passesIn(final double wantedMs) {
        return (int) Math.max(1, Math.round(wantedMs / passTimesMs.get(passTimesMs.size() - 1)));
    }

    JSONObject describe() {
        return new JSONObject().put("ms", ms).put("calls", calls).put("settled", hasSettled());
    }

    private boolean isDone() {
        return ms >= maxWarmUpMs || ms >= warmUpMs && calls >= warmUpCalls && hasSettled();
    }

    private boolean hasSettled() {
        int count = passTimesMs.size();
        if (count < MIN_CHUNKS) {
            return false;
        }
        double earlier = passTimesMs.get(count - 3);
        return Math.abs(passTimesMs.get(count - 1) - earlier) <= SETTLED_SHARE * earlier;
    }
}
