package assay;

import java.util.function.Supplier;
import org.bson.ByteBuf;
import org.bson.io.BsonInput;

/** Opens the input of a variant. A process loads only one implementation. */
abstract class Inputs {
    /**
     * @param buffer with one unit from its position to its limit
     * @return an input over it
     */
    abstract BsonInput open(ByteBuf buffer);

    static Inputs choose(final Variant variant) {
        return switch (variant.input()) {
            case "library" -> new LibraryInputs();
            case "composed" -> new ComposedInputs(chooseScan(variant.scan()), chooseString(variant.string()));
            default -> throw new RefusedJobException("there is no input '" + variant.input() + "'");
        };
    }

    private static NameScan chooseScan(final String name) {
        return switch (String.valueOf(name)) {
            case "relative" -> new RelativeScan();
            case "absolute" -> new AbsoluteScan();
            case "swar" -> new SwarScan();
            default -> throw new RefusedJobException("there is no scan '" + name + "'");
        };
    }

    private static Supplier<StringMaker> chooseString(final String name) {
        return switch (String.valueOf(name)) {
            case "copy" -> CopiedString::new;
            case "view" -> ViewedString::new;
            case "scratch" -> ScratchString::new;
            default -> throw new RefusedJobException("there is no string '" + name + "'");
        };
    }
}
