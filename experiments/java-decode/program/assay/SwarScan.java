package assay;

import org.bson.ByteBuf;

/**
 * Scans eight bytes at a time, as the library does since 5.5. The lowest set bit of {@code (word - 0x01…01) &
 * ~word & 0x80…80} is the highest bit of the first byte that is zero (H. S. Warren, Hacker's Delight, 6-1);
 * the word is little endian, so its lowest byte is the first.
 */
final class SwarScan extends NameScan {
    private static final long LOWEST_BITS = 0x0101010101010101L;
    private static final long HIGHEST_BITS = 0x8080808080808080L;

    @Override
    int findSize(final ByteBuf buffer) {
        int start = buffer.position();
        int limit = buffer.limit();
        int index = start;
        for (; index <= limit - Long.BYTES; index += Long.BYTES) {
            long word = buffer.getLong(index);
            long zeros = (word - LOWEST_BITS) & ~word & HIGHEST_BITS;
            if (zeros != 0) {
                return index - start + Long.numberOfTrailingZeros(zeros) / Byte.SIZE + 1;
            }
        }
        for (; index < limit; index++) {
            if (buffer.get(index) == 0) {
                return index - start + 1;
            }
        }
        throw missingNul();
    }
}
