package assay;

import java.nio.charset.StandardCharsets;
import org.bson.ByteBuf;

/**
 * Through one array that all strings of a unit share, as the library does since 5.5 where a buffer has
 * no array behind it.
 */
final class ScratchString extends StringMaker {
    private byte[] scratch = new byte[0];

    @Override
    String read(final ByteBuf buffer, final int size) {
        if (scratch.length < size) {
            scratch = new byte[size + size / 2];
        }
        buffer.get(scratch, 0, size);
        requireNul(scratch[size - 1]);
        return new String(scratch, 0, size - 1, StandardCharsets.UTF_8);
    }
}
