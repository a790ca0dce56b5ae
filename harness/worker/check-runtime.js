/** 'é' in a string of one byte a character, which Node 22.7.0 copies as it is once the call is optimized. */
const TEXT = 'é'.repeat(24);
const BYTES = 'c3a9'.repeat(24);
/** V8 optimizes the calls within the first ten rounds, on a busy machine within thirty. */
const ROUNDS = 150;
const CALLS = 1_000;
/** The bytes of TEXT in encodings that serializers read with TextDecoder. */
const ENCODED = { 'utf-8': BYTES, latin1: 'e9'.repeat(24) };

/**
 * Looks for what releases of Node do wrong to text: a variant that is refused for it, or passes because the reference is
 * wrong, too, is not at fault. Takes some 30 ms, and has to run before a variant is loaded, which could replace all of it.
 *
 * @returns {string | null} what is wrong
 */
export function findRuntimeFault() {
  for (const [encoding, bytes] of Object.entries(ENCODED)) {
    const decoded = decode(encoding, Buffer.from(bytes, 'hex'));
    if (decoded === TEXT) continue;
    const what = typeof decoded === 'string' ? `'${decoded}'` : 'a value that is no string';
    return `TextDecoder('${encoding}') decodes text as ${what}`;
  }
  const buffer = Buffer.alloc(BYTES.length / 2);
  for (let round = 0; round < ROUNDS; round++) {
    buffer.fill(0);
    for (let call = 0; call < CALLS; call++) buffer.write(TEXT, 0, 'utf8');
    const written = buffer.toString('hex');
    if (written !== BYTES) {
      return `Buffer.write writes 'é' as ${written.slice(0, 4)} instead of c3a9 in UTF-8 once V8 has optimized it`;
    }
  }
  return null;
}

/** @type {(encoding: string, bytes: Uint8Array) => unknown} the right text where the runtime lacks the encoding */
function decode(encoding, bytes) {
  let decoder;
  try {
    decoder = new TextDecoder(encoding);
  } catch {
    return TEXT;
  }
  return decoder.decode(bytes);
}
