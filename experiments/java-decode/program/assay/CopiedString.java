package assay;

import org.bson.ByteBuf;

/** Copies each string through a new array, as the library did up to 5.4. */
final class CopiedString extends StringMaker {
    @Override
    String read(final ByteBuf buffer, final int size) {
        return readCopy(buffer, size);
    }
}
