package assay;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Files of documents: those of a corpus, and the output of an operation. */
final class Frames {
    private Frames() {
    }

    /**
     * Splits concatenated BSON documents.
     *
     * @param file of a corpus
     * @return the bytes of each; a truncated last one as it is, for the reader to reject
     */
    static List<byte[]> readDocuments(final Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        ByteBuffer sizes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        List<byte[]> documents = new ArrayList<>();
        for (int start = 0; start < bytes.length;) {
            int left = bytes.length - start;
            int size = left < Integer.BYTES ? left : sizes.getInt(start);
            int taken = size < Integer.BYTES || size > left ? left : size;
            documents.add(Arrays.copyOfRange(bytes, start, start + taken));
            start += taken;
        }
        return documents;
    }

    /**
     * @param frames one for each unit
     * @return `sha256:…` of all frames, each after its size (uint32, little endian)
     */
    static String digest(final List<byte[]> frames) {
        MessageDigest hash = openSha256();
        for (byte[] frame : frames) {
            hash.update(encodeSize(frame));
            hash.update(frame);
        }
        return "sha256:" + HexFormat.of().formatHex(hash.digest());
    }

    static void write(final List<byte[]> frames, final Path file) throws IOException {
        try (OutputStream output = Files.newOutputStream(file)) {
            for (byte[] frame : frames) {
                output.write(encodeSize(frame));
                output.write(frame);
            }
        }
    }

    private static byte[] encodeSize(final byte[] frame) {
        return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(frame.length).array();
    }

    private static MessageDigest openSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
