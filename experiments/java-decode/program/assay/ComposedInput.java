package assay;

import java.nio.ByteOrder;
import org.bson.BsonSerializationException;
import org.bson.ByteBuf;
import org.bson.io.BsonInput;
import org.bson.io.BsonInputMark;
import org.bson.types.ObjectId;

/**
 * Reads BSON from a buffer, with the behaviour of the library's ByteBufferBsonInput. A NameScan finds the end
 * of names and a StringMaker creates strings; the rest is the same for every variant.
 */
final class ComposedInput implements BsonInput {
    private static final int OBJECT_ID_BYTES = 12;

    private final NameScan scan;
    private final StringMaker strings;
    private ByteBuf buffer;

    ComposedInput(final ByteBuf buffer, final NameScan scan, final StringMaker strings) {
        this.buffer = buffer.order(ByteOrder.LITTLE_ENDIAN);
        this.scan = scan;
        this.strings = strings;
    }

    @Override
    public int getPosition() {
        requireOpen();
        return buffer.position();
    }

    @Override
    public int getRemaining() {
        requireOpen();
        return buffer.remaining();
    }

    @Override
    public boolean hasRemaining() {
        requireOpen();
        return buffer.hasRemaining();
    }

    @Override
    public byte readByte() {
        requireBytes(1);
        return buffer.get();
    }

    @Override
    public int readInt32() {
        requireBytes(Integer.BYTES);
        return buffer.getInt();
    }

    @Override
    public long readInt64() {
        requireBytes(Long.BYTES);
        return buffer.getLong();
    }

    @Override
    public double readDouble() {
        requireBytes(Double.BYTES);
        return buffer.getDouble();
    }

    @Override
    public void readBytes(final byte[] target) {
        readBytes(target, 0, target.length);
    }

    @Override
    public void readBytes(final byte[] target, final int offset, final int length) {
        requireBytes(length);
        buffer.get(target, offset, length);
    }

    @Override
    public ObjectId readObjectId() {
        byte[] bytes = new byte[OBJECT_ID_BYTES];
        readBytes(bytes);
        return new ObjectId(bytes);
    }

    @Override
    public String readString() {
        int size = readInt32();
        if (size <= 0) {
            throw new BsonSerializationException("a string says that it has " + size + " bytes, it has at least one");
        }
        requireBytes(size);
        return makeString(size);
    }

    @Override
    public String readCString() {
        requireOpen();
        return makeString(scan.findSize(buffer));
    }

    @Override
    public void skipCString() {
        requireOpen();
        skip(scan.findSize(buffer));
    }

    @Override
    public void skip(final int length) {
        requireOpen();
        buffer.position(buffer.position() + length);
    }

    @Override
    public BsonInputMark getMark(final int readLimit) {
        requireOpen();
        int marked = buffer.position();
        return () -> {
            requireOpen();
            buffer.position(marked);
        };
    }

    @Override
    public void close() {
        buffer.release();
        buffer = null;
    }

    /** Strings of one byte are cached, as in all versions of the library. */
    private String makeString(final int size) {
        return size == 2 ? OneByteStrings.read(buffer) : strings.read(buffer, size);
    }

    private void requireOpen() {
        if (buffer == null) {
            throw new IllegalStateException("the input is closed");
        }
    }

    private void requireBytes(final int length) {
        requireOpen();
        if (buffer.remaining() < length) {
            throw new BsonSerializationException(length + " bytes are to be read, " + buffer.remaining() + " are left");
        }
    }
}
