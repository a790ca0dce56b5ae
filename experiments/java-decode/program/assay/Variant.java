package assay;

import org.json.JSONObject;

/**
 * The settings of a variant in a job.
 *
 * @param input  `library`: the input of the loaded library; `composed`: one of this family
 * @param scan   how the end of a name is found; null with the library's input
 * @param string how a string is created from bytes; null with the library's input
 * @param buffer kind of buffer
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
