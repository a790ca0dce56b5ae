package assay;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The input of the calls in one pass.
 *
 * @param units     BSON, one per call
 * @param documents number of documents of the corpus in all units
 */
record Batches(List<byte[]> units, int documents) {
    private static final int DOCUMENTS_PER_REPLY = 200;
    /** The limit of a server for a batch: the maximum size of a document. */
    private static final int MAX_REPLY_BYTES = 16 * 1024 * 1024;

    private static final byte DOUBLE = 1;
    private static final byte DOCUMENT = 3;
    private static final byte ARRAY = 4;
    private static final byte STRING = 2;
    private static final byte INT64 = 18;
    private static final String NAMESPACE = "assay.documents";

    static Batches of(final String operation, final List<byte[]> documents) {
        return switch (operation) {
            case "decode" -> new Batches(documents, documents.size());
            case "decode-reply" -> batchReplies(documents);
            default -> throw new RefusedJobException("this worker has no operation '" + operation + "'");
        };
    }

    /** Replies with all documents. If the corpus does not fill the last one, it is repeated. */
    private static Batches batchReplies(final List<byte[]> documents) {
        List<byte[]> replies = new ArrayList<>();
        int taken = 0;
        do {
            List<byte[]> batch = new ArrayList<>();
            int bytes = 0;
            while (batch.size() < DOCUMENTS_PER_REPLY && (batch.isEmpty() || bytes < MAX_REPLY_BYTES)) {
                byte[] document = documents.get(taken++ % documents.size());
                batch.add(document);
                bytes += document.length;
            }
            replies.add(encodeReply(batch));
        } while (taken < documents.size());
        return new Batches(replies, taken);
    }

    /** `{ cursor: { firstBatch: [...], id: 0, ns }, ok: 1 }`, as a server answers a find. */
    private static byte[] encodeReply(final List<byte[]> batch) {
        int batchBytes = batch.stream().mapToInt(document -> document.length + 8).sum();
        ByteBuffer reply = ByteBuffer.allocate(batchBytes + 256).order(ByteOrder.LITTLE_ENDIAN);
        int replyStart = beginDocument(reply);
        putElement(reply, DOCUMENT, "cursor");
        int cursorStart = beginDocument(reply);
        putElement(reply, ARRAY, "firstBatch");
        int batchStart = beginDocument(reply);
        for (int index = 0; index < batch.size(); index++) {
            putElement(reply, DOCUMENT, Integer.toString(index));
            reply.put(batch.get(index));
        }
        endDocument(reply, batchStart);
        putElement(reply, INT64, "id");
        reply.putLong(0);
        putElement(reply, STRING, "ns");
        reply.putInt(NAMESPACE.length() + 1);
        putCString(reply, NAMESPACE);
        endDocument(reply, cursorStart);
        putElement(reply, DOUBLE, "ok");
        reply.putDouble(1);
        endDocument(reply, replyStart);
        byte[] bytes = new byte[reply.position()];
        reply.flip().get(bytes);
        return bytes;
    }

    private static int beginDocument(final ByteBuffer target) {
        int start = target.position();
        target.putInt(0);
        return start;
    }

    private static void endDocument(final ByteBuffer target, final int start) {
        target.put((byte) 0);
        target.putInt(start, target.position() - start);
    }

    private static void putElement(final ByteBuffer target, final byte type, final String name) {
        target.put(type);
        putCString(target, name);
    }

    private static void putCString(final ByteBuffer target, final String text) {
        target.put(text.getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
    }
}
