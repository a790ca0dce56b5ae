package assay;

import org.bson.ByteBuf;
import org.bson.io.BsonInput;
import org.bson.io.ByteBufferBsonInput;

/** The input of the library, unchanged. */
final class LibraryInputs extends Inputs {
    @Override
    BsonInput open(final ByteBuf buffer) {
        return new ByteBufferBsonInput(buffer);
    }
}
