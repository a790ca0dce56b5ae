const CHARACTERS = 60;
const BYTES = 8;

/**
 * Describes the first difference of two results: of values that `describeValue` describes, a line each, the path of the
 * first that differs, or what is there instead of it; of bytes or text, the offset.
 *
 * @param {Uint8Array} expected
 * @param {Uint8Array} found
 * @returns {{ path: string, expected: string, found: string }}
 */
export function describePlace(expected, found) {
  const [left, right] = [expected, found].map((bytes) => Buffer.from(bytes).toString());
  const [before, after] = [left, right].map((text) => text.split('\n'));
  if (before[0].includes('\t') && after[0].includes('\t')) {
    const line = before.findIndex((text, index) => text !== after[index]);
    const [one, other] = [before, after].map((lines) =>
      lines.at(line === -1 ? lines.length : line),
    );
    const [path] = (one ?? other ?? '').split('\t');
    const [place = path] = other?.split('\t') ?? [];
    // Another property, or the same ones in another order.
    const isOther = one !== undefined && place !== path;
    const found = `${isOther ? `${place} in its place: ` : ''}${showLine(other)}`;
    return { path, expected: showLine(one), found };
  }
  let offset = 0;
  while (offset < expected.length && expected[offset] === found[offset]) offset++;
  return {
    path: `byte ${offset}`,
    expected: showBytes(expected, offset),
    found: showBytes(found, offset),
  };
}

/** @param {string | undefined} line `path TAB type TAB value` */
function showLine(line) {
  if (line === undefined) return '(absent)';
  return line.split('\t').slice(1).join(' ').trim().slice(0, CHARACTERS);
}

/** @type {(bytes: Uint8Array, offset: number) => string} from the first that differs */
function showBytes(bytes, offset) {
  if (offset >= bytes.length) return `(end after ${bytes.length} bytes)`;
  const some = Buffer.from(bytes.subarray(offset, offset + BYTES));
  const text = some.toString();
  return `${some.toString('hex').replaceAll(/(..)(?!$)/g, '$1 ')}${/^[\x20-\x7e]*$/.test(text) ? ` '${text}'` : ''}`;
}
