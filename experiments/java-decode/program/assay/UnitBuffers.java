package assay;

import java.util.ArrayList;
import java.util.List;
import org.bson.ByteBuf;

/** Stores units once, before anything is timed, and opens one of them for each call. */
abstract class UnitBuffers {
    /** Fills several components of a composite buffer, so that units cross their boundaries as in a reply. */
    private static final int LEAST_BYTES = 4 * NettyCompositeBuffers.COMPONENT_BYTES;

    /**
     * @param unit index of the unit
     * @return a buffer with the unit from its position to its limit
     */
    abstract ByteBuf open(int unit);

    static UnitBuffers lay(final String buffer, final List<byte[]> units) {
        return switch (buffer) {
            case "heap" -> new HeapBuffers(units);
            case "direct" -> new DirectBuffers(units);
            case "netty-direct" -> new NettyDirectBuffers(units);
            case "netty-composite" -> new NettyCompositeBuffers(units);
            default -> throw new RefusedJobException("there is no buffer '" + buffer + "'");
        };
    }

    /** @return the units, repeated until they fill several components; the same for every kind of buffer */
    static List<byte[]> repeatUnits(final List<byte[]> units) {
        List<byte[]> repeated = new ArrayList<>();
        long bytes = 0;
        do {
            for (byte[] unit : units) {
                repeated.add(unit);
                bytes += unit.length;
            }
        } while (bytes < LEAST_BYTES);
        return repeated;
    }
}
