package assay;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.json.JSONObject;

/** Runs the operation once and keeps what comes of it. */
final class OutputJob {
    private OutputJob() {
    }

    /**
     * Decodes and encodes again, which must give the same bytes.
     *
     * @param report gets the digest, or what the variant threw
     */
    static void produce(final JSONObject job, final JSONObject report) throws IOException {
        Decoding decoding = Decoding.prepare(job);
        List<byte[]> frames;
        try {
            frames = decoding.encodeUnits();
        } catch (RuntimeException failure) {
            report.put("outputDigest", JSONObject.NULL).put("thrown", failure.toString());
            return;
        }
        Frames.write(frames, Path.of(job.getString("outputPath")));
        report.put("outputDigest", Frames.digest(frames));
    }
}
