package assay;

import com.mongodb.internal.connection.netty.NettyByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.bson.ByteBuf;

/**
 * All units in succession in the components of one composite buffer of Netty, as the driver assembles
 * received data, in the wrapper of the driver.
 */
final class NettyCompositeBuffers extends UnitBuffers {
    static final int COMPONENT_BYTES = 64 * 1024;

    private final CompositeByteBuf composite;
    private final int[] starts;

    NettyCompositeBuffers(final List<byte[]> units) {
        starts = new int[units.size() + 1];
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (int unit = 0; unit < units.size(); unit++) {
            joined.writeBytes(units.get(unit));
            starts[unit + 1] = joined.size();
        }
        composite = compose(joined.toByteArray());
    }

    @Override
    ByteBuf open(final int unit) {
        return new NettyByteBuf(composite.setIndex(starts[unit], starts[unit + 1])).flip();
    }

    private static CompositeByteBuf compose(final byte[] bytes) {
        // With a lower maximum, Netty would merge components.
        int count = (bytes.length + COMPONENT_BYTES - 1) / COMPONENT_BYTES;
        CompositeByteBuf composite = PooledByteBufAllocator.DEFAULT.compositeBuffer(count);
        for (int start = 0; start < bytes.length; start += COMPONENT_BYTES) {
            int length = Math.min(COMPONENT_BYTES, bytes.length - start);
            composite.addComponent(
                    true, PooledByteBufAllocator.DEFAULT.directBuffer(length).writeBytes(bytes, start, length));
        }
        return composite;
    }
}
