package assay;

import com.mongodb.internal.connection.netty.NettyByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.List;
import org.bson.ByteBuf;

/** One pooled direct buffer of Netty per unit, in the wrapper of the driver. */
final class NettyDirectBuffers extends UnitBuffers {
    private final io.netty.buffer.ByteBuf[] buffers;

    NettyDirectBuffers(final List<byte[]> units) {
        buffers = units.stream()
                .map(unit -> PooledByteBufAllocator.DEFAULT.directBuffer(unit.length).writeBytes(unit))
                .toArray(io.netty.buffer.ByteBuf[]::new);
    }

    @Override
    ByteBuf open(final int unit) {
        return new NettyByteBuf(buffers[unit].readerIndex(0)).flip();
    }
}
