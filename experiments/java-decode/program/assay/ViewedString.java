package assay;

import java.nio.charset.StandardCharsets;
import org.bson.ByteBuf;

/**
 * Creates strings directly from the array behind the buffer, as the library does since 5.5, or through a new
 * array if there is none.
 */
final class ViewedString extends StringMaker {
    @Override
    String read(final ByteBuf buffer, final int size) {
        if (!buffer.isBackedByArray()) {
            return readCopy(buffer, size);
        }
        byte[] array = buffer.array();
        int position = buffer.position();
        int start = buffer.arrayOffset() + position;
        requireNul(array[start + size - 1]);
        buffer.position(position + size);
        return new String(array, start, size - 1, StandardCharsets.UTF_8);
    }
}
