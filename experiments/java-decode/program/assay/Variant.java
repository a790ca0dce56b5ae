package assay;

import org.json.JSONObject;

/**
 * What a job says of its variant.
 *
 * @param input  `library`: the input of the library that was loaded; `composed`: one of this family's
 * @param scan   how the end of a name is found; null with the library's input
 * @param string how a string is made of bytes; null with the library's input
 * @param buffer what holds the bytes
 */
record Variant(String input, String scan, String string, String buffer) {
    static Variant of(final JSONObject job) {
        JSONObject settings = job.getJSONObject("variant").getJSONObject("settings");
        return new Variant(
                settings.optString("input", "library"),
                settings.optString("scan", null),
                settings.optString("string", null),
                settings.optString("buffer", "heap"));
    }
}
