package assay;

import java.nio.charset.StandardCharsets;
import org.bson.ByteBuf;

/**
 * Copies strings through one array, shared by all strings of a unit, as the library does since 5.5 if the
 * buffer has no array.
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
