package assay;

import org.bson.ByteBuf;

/** Scans byte by byte by index, up to a limit that is read once. The position does not change. */
final class AbsoluteScan extends NameScan {
    @Override
    int findSize(final ByteBuf buffer) {
        int start = buffer.position();
        int limit = buffer.limit();
        for (int index = start; index < limit; index++) {
            if (buffer.get(index) == 0) {
                return index - start + 1;
            }
        }
        throw missingNul();
    }
}
