import * as bson from 'bson';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FormatError, UsageError } from '../../harness/lib/errors.js';
import { importCorpus } from './import.js';
import { materializeDocuments } from './materialize.js';
import { prepareCorpus } from './prepare.js';
import { MAX_FILE_BYTES } from './user-file.js';

/** @type {string} */
let directory;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-import-'));
});

afterEach(async () => {
  rmSync(directory, { recursive: true });
});

/** @param {string | Uint8Array} content @param {string} [name] */
function importContent(content, name = 'mine') {
  const file = join(directory, 'documents.any');
  writeFileSync(file, content);
  return importCorpus(name, file, { directory });
}

/** @param {string} [label] */
async function readBack(label = 'mine') {
  const { files } = await prepareCorpus(label, { directory });
  return {
    canonical: readFileSync(files.canonical),
    lines: readFileSync(files.text, 'utf8').trimEnd().split('\n'),
  };
}

describe('importCorpus reads', () => {
  const one = { a: new bson.Int32(1), b: { c: 'x' } };
  const two = { a: bson.Long.fromNumber(2 ** 40), b: { c: 'y' } };
  const both = Buffer.concat([bson.serialize(one), bson.serialize(two)]);
  const relaxed = ['{"a":1,"b":{"c":"x"}}', '{"a":1099511627776,"b":{"c":"y"}}'];
  const canonical = [one, two].map((each) => bson.EJSON.stringify(each, { relaxed: false }));

  it.each([
    ['an array', `[${relaxed.join(',')}]`],
    ['an array over several lines', `\n[\n  ${relaxed.join(' ,\n\t')}\r\n]\n`],
    ['JSON lines', relaxed.join('\n')],
    ['JSON lines with blank lines and CRLF', `${relaxed.join('\r\n\r\n')}\r\n`],
    ['documents over several lines', relaxed.map((text) => text.replace(/,/g, ',\n ')).join('\n')],
    ['text with a byte order mark', `\ufeff${relaxed.join('\n')}`],
    ['canonical Extended JSON', canonical.join('\n')],
    ['concatenated BSON', both],
  ])('%s', async (_what, content) => {
    const { documentCount, sizeBytes, notes } = await importContent(content);
    expect({ documentCount, sizeBytes, notes }).toEqual({
      documentCount: 2,
      sizeBytes: both.length,
      notes: [],
    });
    expect((await readBack()).canonical.equals(both)).toBe(true);
  });

  it('one document, in either form', async () => {
    await importContent(relaxed[0] ?? '', 'as-text');
    await importContent(bson.serialize(one), 'as-bson');
    for (const name of ['as-text', 'as-bson']) {
      expect((await readBack(name)).canonical.equals(bson.serialize(one))).toBe(true);
    }
  });

  it('numbers by value, and preserves the text', async () => {
    const text = '{"a": 5.0, "b": 1e400, "c": 0.1, "d": 12345678901, "e": "} \\" {"}';
    await importContent(text);
    const { canonical: bytes, lines } = await readBack();
    expect(lines).toEqual([text]);
    const values = bson.deserialize(bytes, { promoteValues: false });
    expect(Object.values(values).map((value) => value._bsontype)).toEqual([
      'Int32',
      'Double',
      'Double',
      'Long',
      undefined,
    ]);
  });

  it('the key __proto__ as a field like any other', async () => {
    await importContent('{"__proto__":{"x":1}}');
    for (const provenance of ['parsed', 'deserialized', 'literal']) {
      const prepared = await prepareCorpus(`mine@${provenance}`, { directory });
      const [document] = await materializeDocuments(bson, prepared);
      expect(Object.keys(document ?? {})).toEqual(['__proto__']);
    }
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });
});

describe('importCorpus keeps', () => {
  it('the bytes of deprecated types, with a note', async () => {
    const bytes = Buffer.from('0900000006610000'.concat('00').slice(0, 16), 'hex');
    bytes.writeInt32LE(bytes.length);
    const { notes } = await importContent(bytes);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/^1 of the documents .* document 1, at byte 0, .* from byte 4/);
    expect((await readBack()).canonical.equals(bytes)).toBe(true);
  });

  it('an earlier corpus of the same name, unless it is to be replaced', async () => {
    const first = await importContent('{"a":1}');
    await expect(importContent('{"a":2}')).rejects.toThrow(/imported corpus 'mine' already exists/);
    expect((await prepareCorpus('mine', { directory })).digest).toBe(first.digest);
    const file = join(directory, 'documents.any');
    const second = await importCorpus('mine', file, { directory, replace: true });
    expect((await prepareCorpus('mine', { directory })).digest).toBe(second.digest);
    expect(second.digest).not.toBe(first.digest);
  });
});

describe('importCorpus rejects', () => {
  it.each(['', 'Mine', '../mine', 'a/b', 'a--b', '1st', 'x@literal', 'x'.repeat(65), 'flat'])(
    'the name %j',
    async (name) => {
      await expect(importContent('{"a":1}', name)).rejects.toThrow(UsageError);
    },
  );

  it.each([
    [
      'a broken line',
      '{"a":1}\n\n{"b":oops}\n',
      /document 2, which starts on line 3, is not valid/,
    ],
    ['a cut-off file', '{"a":1}\n{"b":{"c":1}', /document 2, which starts on line 2, has no end/],
    [
      'a number among documents',
      '[{"a":1},\n7]',
      /document 2, which starts on line 2, is not an object/,
    ],
    ['an unclosed array', '[{"a":1}', /not closed properly on line 1/],
    ['a missing comma', '[{"a":1}\n{"a":2}]', /not closed properly on line 2/],
    ['text after the array', '[{"a":1}]\n{}', /after the array of documents on line 2/],
    [
      'a value that is not a document',
      '{"$oid":"0123456789abcdef01234567"}',
      /document 1.*single value/,
    ],
    ['a bad value class', '{"a":{"$oid":"zz"}}', /document 1.*cannot be read/],
    ['bytes that are not UTF-8', Buffer.from('7b2261223a22ff227d', 'hex'), /not UTF-8/],
    ['a file of another format', 'name;price\napple;3\n', /neither Extended JSON nor BSON/],
    [
      'a truncated BSON document',
      Buffer.from('100000000261', 'hex'),
      /document 1, at byte 0, claims/,
    ],
    ['excessive nesting', '{"a":'.repeat(20000) + '1' + '}'.repeat(20000), /nested too deeply/],
  ])('%s, with its position', async (_what, content, message) => {
    await expect(importContent(content)).rejects.toThrow(message);
    await expect(importContent(content)).rejects.toThrow(FormatError);
  });

  it('garbage after a valid BSON document, with its offset', async () => {
    const good = bson.serialize({ a: 1 });
    const content = Buffer.concat([good, Buffer.from([9, 0, 0, 0, 0x77, 0x61, 0, 0, 0])]);
    await expect(importContent(content)).rejects.toThrow(
      `document 2, at byte ${good.length}, cannot be`,
    );
  });

  it.each([
    ['an empty file', ''],
    ['an empty array', '[]'],
  ])('%s', async (_what, content) => {
    await expect(importContent(content)).rejects.toThrow(/is empty|no documents/);
  });

  it('a missing file, a directory and a file beyond the limit', async () => {
    const folder = join(directory, 'folder');
    mkdirSync(folder);
    const huge = join(directory, 'huge');
    writeFileSync(huge, '');
    truncateSync(huge, MAX_FILE_BYTES + 1);
    await expect(importCorpus('mine', join(directory, 'no'), { directory })).rejects.toThrow(
      /does not exist/,
    );
    await expect(importCorpus('mine', folder, { directory })).rejects.toThrow(/is a directory/);
    await expect(importCorpus('mine', huge, { directory })).rejects.toThrow(
      /the limit is 268435456/,
    );
  });

  it('a document beyond the limit of MongoDB', async () => {
    const text = `{"a":"${'x'.repeat(2 ** 24)}"}`;
    await expect(importContent(text)).rejects.toThrow(/document 1.*the limit is 16777216/);
  });

  it('without leaving a partial import', async () => {
    await expect(importContent('{"a":1}\n{"b":')).rejects.toThrow(FormatError);
    expect(readdirSync(join(directory, 'store'))).toEqual([]);
    expect(readdirSync(directory)).not.toContain('imported');
  });
});
