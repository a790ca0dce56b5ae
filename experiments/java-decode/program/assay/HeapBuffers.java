package assay;

import java.nio.ByteBuffer;
import java.util.List;
import org.bson.ByteBuf;
import org.bson.ByteBufNIO;

/** Byte arrays, wrapped for each call like in the benchmark of the driver. */
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
