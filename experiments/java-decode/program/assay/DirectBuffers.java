package assay;

import java.nio.ByteBuffer;
import java.util.List;
import org.bson.ByteBuf;
import org.bson.ByteBufNIO;

/** Memory outside the heap, in direct buffers of the JDK. */
final class DirectBuffers extends UnitBuffers {
    private final ByteBuffer[] buffers;

    DirectBuffers(final List<byte[]> units) {
        buffers = units.stream()
                .map(unit -> ByteBuffer.allocateDirect(unit.length).put(unit).flip())
                .toArray(ByteBuffer[]::new);
    }

    @Override
    ByteBuf open(final int unit) {
        return new ByteBufNIO(buffers[unit].duplicate());
    }
}
