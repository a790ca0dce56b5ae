package assay;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.Document;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.DocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.json.JSONObject;

/**
 * The measured operation: decodes units (documents, or replies with many documents) to instances of Document
 * with the reader and codec of the library, like the benchmark of the driver.
 */
final class Decoding {
    private final DocumentCodec codec = new DocumentCodec();
    private final DecoderContext decoderContext = DecoderContext.builder().build();
    /** The units, repeated as `UnitBuffers` requires. */
    private final List<byte[]> laid;
    private final UnitBuffers buffers;
    private final Inputs inputs;
    private final int unitsPerPass;
    private final int documentsPerPass;
    private int nextUnit;
    private Document last;

    /**
     * @param operation `decode` or `decode-reply`
     * @param documents BSON of the documents of a corpus
     * @param variant   determines the reader
     */
    Decoding(final String operation, final List<byte[]> documents, final Variant variant) {
        Batches batches = Batches.of(operation, documents);
        unitsPerPass = batches.units().size();
        documentsPerPass = batches.documents();
        laid = UnitBuffers.repeatUnits(batches.units());
        buffers = UnitBuffers.lay(variant.buffer(), laid);
        inputs = Inputs.choose(variant);
    }

    static Decoding prepare(final JSONObject job) throws IOException {
        Path canonical = Path.of(job.getJSONObject("corpus").getJSONObject("files").getString("canonical"));
        return new Decoding(job.getString("operation"), Frames.readDocuments(canonical), Variant.of(job));
    }

    /** @return documents of the corpus per pass */
    int documentsPerPass() {
        return documentsPerPass;
    }

    /**
     * The measured loop. The result is kept to prevent dead-code elimination.
     *
     * @param passes number of times to decode all units
     */
    void run(final int passes) {
        int laidUnits = laid.size();
        for (int pass = 0; pass < passes; pass++) {
            for (int unit = 0; unit < unitsPerPass; unit++) {
                last = decodeUnit(nextUnit);
                nextUnit = nextUnit + 1 == laidUnits ? 0 : nextUnit + 1;
            }
        }
    }

    private Document decodeUnit(final int unit) {
        return codec.decode(new BsonBinaryReader(inputs.open(buffers.open(unit))), decoderContext);
    }

    /**
     * Decodes and encodes every unit, at every place where it is stored: in a composite buffer some cross the
     * boundaries of components.
     *
     * @return the encoded units
     * @throws IllegalStateException when an encoded unit differs, with the first different byte
     */
    List<byte[]> encodeUnits() {
        List<byte[]> encoded = new ArrayList<>();
        for (int unit = 0; unit < laid.size(); unit++) {
            byte[] bytes = encodeUnit(unit);
            int offset = Arrays.mismatch(laid.get(unit), bytes);
            if (offset >= 0) {
                throw new IllegalStateException("document " + unit % unitsPerPass
                        + " decoded and encoded again is another from byte " + offset + " on");
            }
            if (unit < unitsPerPass) {
                encoded.add(bytes);
            }
        }
        return encoded;
    }

    private byte[] encodeUnit(final int unit) {
        BasicOutputBuffer output = new BasicOutputBuffer();
        codec.encode(new BsonBinaryWriter(output), decodeUnit(unit), EncoderContext.builder().build());
        return output.toByteArray();
    }
}
