const ESCAPE = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|n|\\)/gi;

/**
 * Takes one line of a V8 log apart: fields separated by commas, in which commas, line ends and
 * whatever is not printable ASCII are escaped (V8's `LogFile::MessageBuilder`).
 *
 * @param {string} line without its end
 * @returns {string[]} the fields as they were before V8 escaped them
 */
export function splitLogLine(line) {
  const fields = line.split(',');
  return line.includes('\\') ? fields.map(decodeField) : fields;
}

/** @param {string} field */
function decodeField(field) {
  return field.replace(ESCAPE, (escaped, byteHex, unitHex) => {
    const hex = byteHex ?? unitHex;
    if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
    return escaped === '\\\\' ? '\\' : '\n';
  });
}
