package assay;

import org.bson.ByteBuf;

/** A cache of strings of one character. */
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
     * @param buffer at a string of one byte and its NUL, afterwards after the NUL
     * @return the string; U+FFFD for a byte above ASCII, which is invalid UTF-8
     */
    static String read(final ByteBuf buffer) {
        byte character = buffer.get();
        StringMaker.requireNul(buffer.get());
        return character < 0 ? REPLACEMENT : ASCII[character];
    }
}
