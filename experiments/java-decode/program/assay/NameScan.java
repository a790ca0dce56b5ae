package assay;

import org.bson.BsonSerializationException;
import org.bson.ByteBuf;

/** Finds the end of a name, whose length BSON does not store. */
abstract class NameScan {
    /**
     * @param buffer at the beginning of a name; its position does not change
     * @return size of the name in bytes, including its NUL
     * @throws BsonSerializationException if there is no NUL before the limit
     */
    abstract int findSize(ByteBuf buffer);

    static BsonSerializationException missingNul() {
        return new BsonSerializationException("a name or a string does not end with a NUL");
    }
}
