package assay;

import java.nio.ByteBuffer;
import java.util.List;
import org.bson.ByteBuf;
import org.bson.ByteBufNIO;

/** Byte arrays, wrapped for each call as the benchmark of the driver does. */
final class HeapBuffers extends UnitBuffers {
    private final byte[][] arrays;

    HeapBuffers(final List<byte[]> units) {
        arrays = units.stream().map(byte[]::clone).toArray(byte[][]::new);
    }

    @Override
    ByteBuf open(final int unit) {
        return new ByteBufNIO(ByteBuffer.wrap(arrays[unit]));
    }
}
