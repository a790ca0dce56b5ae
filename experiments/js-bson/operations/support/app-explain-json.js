/**
 * Describes the first difference of two JSON texts.
 *
 * @param {Uint8Array} expected UTF-8
 * @param {Uint8Array} found UTF-8
 * @returns {Promise<{ path: string, expected: string, found: string }>}
 */
export async function explainJsonDifference(expected, found) {
  const { describeValue } = await import('../../../support/describe-value.js');
  const { explainTextDifference } = await import('../../../support/explain-difference.js');
  const [expectedText, foundText] = [expected, found].map((text) =>
    Buffer.from(describeValue(JSON.parse(Buffer.from(text).toString()))),
  );
  return explainTextDifference(expectedText, foundText);
}
