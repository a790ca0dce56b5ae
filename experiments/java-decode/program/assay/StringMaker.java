package assay;

import java.nio.charset.StandardCharsets;
import org.bson.ByteBuf;

/** Creates strings from bytes in a buffer. */
abstract class StringMaker {
    /**
     * @param buffer at a string, afterwards after its NUL
     * @param size   size of the string in bytes, including its NUL
     * @return the string
     */
    abstract String read(ByteBuf buffer, int size);

    /** Copies the bytes to a new array, which String copies again. */
    static String readCopy(final ByteBuf buffer, final int size) {
        byte[] bytes = new byte[size - 1];
        buffer.get(bytes);
        requireNul(buffer.get());
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static void requireNul(final byte last) {
        if (last != 0) {
            throw NameScan.missingNul();
        }
    }
}
