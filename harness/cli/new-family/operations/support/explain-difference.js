const SHOWN_BYTES = 20;

/**
 * Says where the output of a variant differs from that of the reference, for the report that refuses it.
 *
 * @param {Uint8Array} expected
 * @param {Uint8Array} found
 */
export async function explainDifference(expected, found) {
  let start = 0;
  while (start < expected.length && expected[start] === found[start]) start += 1;
  /** @param {Uint8Array} bytes */
  function show(bytes) {
    return Buffer.from(bytes).toString('utf8', start, start + SHOWN_BYTES);
  }
  return { path: `byte ${start}`, expected: show(expected), found: show(found) };
}
