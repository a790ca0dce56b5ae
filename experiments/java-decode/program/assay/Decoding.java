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
 * The measured operation: encoded units (documents, or replies of many documents) to instances of
 * Document, by the library's own reader and codec, as the benchmark of the driver does it.
 */
final class Decoding {
    private final DocumentCodec codec = new DocumentCodec();
    private final DecoderContext decoderContext = DecoderContext.builder().build();
    /** The units, as often as `UnitBuffers` wants them. */
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
     * @param variant   what its reader is
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

    /** @return documents of the corpus that one pass decodes */
    int documentsPerPass() {
        return documentsPerPass;
    }

    /**
     * The measured loop. The result is kept, so that no call is dead code.
     *
     * @param passes times that all units are decoded
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
     * Decodes and encodes every unit again, in all places where it was laid: in a composite buffer some
     * of them cross the borders of components.
     *
     * @return what each comes to
     * @throws IllegalStateException when that is not the unit, with the first place where it is not
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
