package assay;

import java.util.function.Supplier;
import org.bson.ByteBuf;
import org.bson.io.BsonInput;

/** Inputs of this family. Each has its own StringMaker, which may keep an array. */
final class ComposedInputs extends Inputs {
    private final NameScan scan;
    private final Supplier<StringMaker> strings;

    ComposedInputs(final NameScan scan, final Supplier<StringMaker> strings) {
        this.scan = scan;
        this.strings = strings;
    }

    @Override
    BsonInput open(final ByteBuf buffer) {
        return new ComposedInput(buffer, scan, strings.get());
    }
}
