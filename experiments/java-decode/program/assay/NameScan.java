package assay;

import org.bson.BsonSerializationException;
import org.bson.ByteBuf;

/** Finds the end of a name: BSON does not say how long one is. */
abstract class NameScan {
    /**
     * @param buffer at the beginning of a name, where it is left
     * @return bytes of the name with its NUL
     * @throws BsonSerializationException when there is none before the limit
     */
    abstract int findSize(ByteBuf buffer);

    static BsonSerializationException missingNul() {
        return new BsonSerializationException("a name or a string does not end with a NUL");
    }
}
