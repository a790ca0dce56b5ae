package assay;

import org.bson.ByteBuf;

/**
 * Reads byte by byte and then resets the position, as the library did up to 5.4: each byte checks the
 * remaining bytes and moves the position.
 */
final class RelativeScan extends NameScan {
    @Override
    int findSize(final ByteBuf buffer) {
        int start = buffer.position();
        do {
            if (!buffer.hasRemaining()) {
                throw missingNul();
            }
        } while (buffer.get() != 0);
        int size = buffer.position() - start;
        buffer.position(start);
        return size;
    }
}
