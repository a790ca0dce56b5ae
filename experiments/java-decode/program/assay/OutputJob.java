package assay;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.json.JSONObject;

/** Runs the operation once and keeps the output. */
final class OutputJob {
    private OutputJob() {
    }

    /**
     * Decodes and encodes the documents, which must give the same bytes.
     *
     * @param report receives the digest, or the exception of the variant
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
