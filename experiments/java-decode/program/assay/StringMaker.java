package assay;

import java.nio.charset.StandardCharsets;
import org.bson.ByteBuf;

/** Makes strings of bytes in a buffer. */
abstract class StringMaker {
    /**
     * @param buffer at a string, behind whose NUL it is left
     * @param size   bytes of the string with its NUL
     * @return the string
     */
    abstract String read(ByteBuf buffer, int size);

    /** Through an array of its own, which String copies once more. */
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
