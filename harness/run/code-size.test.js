import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../lib/project.js';
import { makeTestDirectory } from '../testing/support/directories.js';
import { testLong } from '../testing/support/gates.js';
import { addCodeSizes, measureCodeSizes } from './code-size.js';

/** @import { Cell, ResolvedVariant } from '../formats/types.ts' */

const WARM = /** @type {Cell} */ ({ id: 'encode flat', operation: 'encode', corpus: 'flat' });
const LOAD = { ...WARM, id: 'encode flat cold load', cold: { calls: 0, withLoad: true } };
const size = { messages: 1, raw: 3, gzip: 2, brotli: 1 };
const directory = makeTestDirectory('code-size');

/** @type {(name: string, text: string) => ResolvedVariant} */
function makeVariant(name, text) {
  const modulePath = join(directory, `${name}.mjs`);
  writeFileSync(modulePath, text);
  return /** @type {ResolvedVariant} */ ({ spec: `path:${name}.mjs`, modulePath });
}

/** @type {(cells: Cell[], variants: ResolvedVariant[]) => Promise<{ sizes: Record<string, any>, notes: string[] }>} */
async function measure(cells, variants) {
  /** @type {string[]} */
  const notes = [];
  /** @param {string} text */
  const onNote = (text) => {
    // That of the first run on a host.
    if (!text.startsWith('fetching')) notes.push(text);
  };
  const context = { ...PROJECT, onNote };
  return { sizes: await measureCodeSizes(cells, variants, context), notes };
}

test('sizes of code replace those of messages in cells that load variants', () => {
  const ofMessages = { [WARM.id]: { a: size }, [LOAD.id]: { a: size } };
  const ofCode = { a: { ...size, raw: 30 } };
  expect(addCodeSizes(ofMessages, [WARM, LOAD], ofCode)).toEqual({
    [WARM.id]: { a: size },
    [LOAD.id]: ofCode,
  });
  expect(addCodeSizes(ofMessages, [WARM, LOAD])).toEqual({ [WARM.id]: { a: size } });
});

test('nothing is bundled where nothing is loaded', async () => {
  const absent = /** @type {ResolvedVariant} */ ({ spec: 'a', modulePath: '/nowhere' });
  expect(await measure([WARM], [absent])).toEqual({ sizes: {}, notes: [] });
});

testLong(
  'the code of a variant is what it imports, without names, comments and modules of Node',
  async () => {
    makeVariant('part', 'export const part = "12345678901234567890";');
    const small = makeVariant('small', 'import "node:fs"; export const longName = 1; // a comment');
    const large = makeVariant('large', 'import { part } from "./part.mjs"; export { part };');
    const { sizes, notes } = await measure([LOAD], [small, large]);
    expect(notes).toEqual([]);
    expect(sizes[small.spec].raw).toBeLessThan(60);
    expect(sizes[large.spec].raw).toBeGreaterThan(30);
    expect(sizes[large.spec]).toMatchObject({ messages: 1, gzip: expect.any(Number) });
  },
);

testLong('what cannot be bundled is a note', async () => {
  const { sizes, notes } = await measure([LOAD], [makeVariant('broken', 'import "./absent.js";')]);
  expect(sizes).toEqual({});
  expect(notes).toEqual([expect.stringMatching(/^no sizes of code: .*absent\.js/)]);
});
