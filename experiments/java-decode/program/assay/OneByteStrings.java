package assay;

import org.bson.ByteBuf;

/** Strings of one character, made once. */
final class OneByteStrings {
    private static final String REPLACEMENT = "\uFFFD";
    private static final String[] ASCII = new String[128];

    static {
        for (char character = 0; character < ASCII.length; character++) {
            ASCII[character] = String.valueOf(character);
        }
    }

    private OneByteStrings() {
    }

    /**
     * @param buffer at a string of one byte and its NUL, behind which it is left
     * @return the string; one byte above ASCII is no UTF-8
     */
    static String read(final ByteBuf buffer) {
        byte character = buffer.get();
        StringMaker.requireNul(buffer.get());
        return character < 0 ? REPLACEMENT : ASCII[character];
    }
}
