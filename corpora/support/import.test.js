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
import { gzipSync } from 'node:zlib';
import { FormatError, UsageError } from '../../harness/lib/errors.js';
import { describeCorpus } from './catalog.js';
import { importCorpus, removeCorpus } from './import.js';
import { materializeDocuments } from './materialize.js';
import { prepareCorpus } from './prepare.js';
import { recognizeContent } from './recognize.js';
import { recordPath } from './registry.js';
import { MAX_FILE_BYTES } from './user-file.js';

/** @type {string} */
let directory;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-import-'));
});

afterEach(async () => {
  rmSync(directory, { recursive: true });
});

/**
 * @param {string | Uint8Array} content
 * @param {string} [name]
 * @param {{ file?: string, isStrict?: boolean, replace?: boolean }} [how]
 */
function importContent(content, name = 'mine', { file = 'documents.any', ...how } = {}) {
  const path = join(directory, file);
  writeFileSync(path, content);
  return importCorpus(name, path, { directory, ...how });
}

/**
 * BSON from hexadecimal, with the right length of the document.
 * @param {string} hex
 */
function withLengths(hex) {
  const bytes = Buffer.from(hex, 'hex');
  bytes.writeInt32LE(bytes.length);
  return bytes;
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
    ['BSON under gzip', gzipSync(both)],
    ['JSON lines under gzip', gzipSync(relaxed.join('\n'))],
    ['several members of gzip', Buffer.concat([gzipSync(relaxed.join('\n')), gzipSync('\n')])],
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

describe('importCorpus converts version 1 of Extended JSON', () => {
  it.each([
    ['a small date', '{"a":{"$date":86400}}', { a: new Date(86400) }],
    ['a large date', '{"a":[{"$date":-62135596800000}]}', { a: [new Date(-62135596800000)] }],
    [
      'a date within a document',
      '{"a":{"b":{"$date":1700000000000},"c":"x"}}',
      { a: { b: new Date(1.7e12), c: 'x' } },
    ],
    [
      'binary data',
      '{"a":{"$type":"05","$binary":"AQID"},"b":true}',
      { a: new bson.Binary(Buffer.of(1, 2, 3), 5), b: true },
    ],
  ])('%s', async (_what, text, document) => {
    const { notes } = await importContent(`${text}\n{"a":1}`, 'mine', { isStrict: true });
    expect(notes).toEqual([
      'the text of 1 of 2 documents was of version 1 of Extended JSON and is stored as version 2, with the same values.',
    ]);
    const { canonical, lines } = await readBack();
    expect(canonical.subarray(0, -bson.serialize({ a: 1 }).length)).toEqual(
      Buffer.from(bson.serialize(document)),
    );
    expect(bson.serialize(bson.EJSON.parse(lines[0] ?? ''))).toEqual(bson.serialize(document));
  });
});

describe('importCorpus keeps', () => {
  it.each([
    [
      'an undefined value',
      '0000000006610000',
      ['document 1, at byte 0, at a: undefined became null'],
    ],
    [
      'a key that occurs twice, in a document',
      '00000000036b000d00000008610000086100010000',
      ['document 1, at byte 0, at k.a: boolean 00, then boolean 01 became boolean 01'],
    ],
    [
      'keys that look like integers',
      '000000000a32000a310000',
      ['document 1, at byte 0, order 2, 1 became 1, 2'],
    ],
    [
      'a date out of range',
      '00000000096400ffffffffffffff7f00',
      ['document 1, at byte 0, at d: date 9223372036854775807 became date 0'],
    ],
  ])('the bytes of %s, with a note', async (_what, hex, changes) => {
    const bytes = withLengths(hex);
    const { notes } = await importContent(bytes);
    expect(notes.slice(0, -1)).toEqual(changes);
    expect(notes.at(-1)).toMatch(/^1 value in 1 of 1 document changed: /);
    expect(await prepareCorpus('mine', { directory })).toMatchObject({ changedValues: 1 });
    expect((await describeCorpus('mine', { directory })).problems).toEqual(notes);
    expect((await readBack()).canonical.equals(bytes)).toBe(true);
  });

  it('the text of documents that change, with as many notes as fit', async () => {
    const line = `{${Array.from({ length: 15 }, (_, index) => `"k${index}":1e999`).join(',')}}`;
    const { notes } = await importContent(`${line}\n${line}\n{"a":1}`);
    expect(notes).toHaveLength(21);
    expect(notes[15]).toBe(
      'document 2, which starts on line 2, at k0: 1e999 became {"$numberDouble":"Infinity"}',
    );
    expect(notes[20]).toMatch(/^30 values in 2 of 3 documents changed, of which 20 are listed: /);
    expect((await readBack()).lines).toEqual([line, line, '{"a":1}']);
  });

  it('the same documents without an error', async () => {
    const first = await importContent('{"a":1}');
    const second = await importContent('{"a":1}', 'mine', { file: 'other.json' });
    expect(first.isUnchanged).toBe(false);
    expect(second).toEqual({ ...first, isUnchanged: true });
  });

  it('an earlier corpus of the same name, unless it is to be replaced', async () => {
    const first = await importContent('{"a":1}');
    await expect(importContent('{"a":2}')).rejects.toThrow(/imported corpus 'mine' already exists/);
    expect((await prepareCorpus('mine', { directory })).digest).toBe(first.digest);
    const second = await importContent('{"a":2}', 'mine', { replace: true });
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
    ['damaged gzip', gzipSync('{"a":1}').subarray(0, -9), /is damaged gzip/],
    ['UTF-16', Buffer.from('\ufeff{"a":1}', 'utf16le'), /is UTF-16$/],
    ['UTF-16 without a mark', Buffer.from('[{"a":1}]', 'utf16le'), /is UTF-16$/],
    ['UTF-16 in the other order', Buffer.from('{"a":1}', 'utf16le').swap16(), /is UTF-16$/],
    ['zstd', Buffer.from('28b52ffd2401', 'hex'), /is compressed by zstd/],
    ['an archive of mongodump', Buffer.from('6de299815d010000', 'hex'), /archive of mongodump/],
    [
      'an archive of mongodump under gzip',
      gzipSync(Buffer.from('6de299815d010000', 'hex')),
      /what gzip contains in .*archive of mongodump/,
    ],
    [
      'syntax of the mongo shell',
      '{"a":1}\n{"b" : ObjectId("0123456789abcdef01234567")}',
      /document 2, .* is in the syntax of the mongo shell: ObjectId\(…\)/,
    ],
    [
      'syntax of the mongo shell after a comment',
      '// 1\n{"n": NumberLong(1)}',
      /is in the syntax of the mongo shell: NumberLong\(…\)/,
    ],
    ['excessive nesting', '{"a":'.repeat(20000) + '1' + '}'.repeat(20000), /nested too deeply/],
  ])('%s, with its position', async (_what, content, message) => {
    await expect(importContent(content)).rejects.toThrow(message);
    await expect(importContent(content)).rejects.toThrow(FormatError);
  });

  it.each([
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 'iconv -f UTF-16 -t UTF-8 FILE | just corpora'],
    ['an archive', Buffer.from('6de29981', 'hex'), 'mongorestore --archive=FILE'],
    ['shell syntax', '{"a": ISODate("2020-01-01")}', 'mongoexport --jsonFormat canonical'],
    ['damaged BSON', Buffer.from('0c0000000261000900000000', 'hex'), 'bsondump --objcheck FILE'],
  ])('%s, with a command that helps', async (_what, content, command) => {
    const error = await importContent(content).catch((thrown) => thrown);
    expect(error.remedy).toContain(command);
  });

  it('a damaged file that is called .bson as BSON', async () => {
    const attempt = importContent('damaged from the start', 'mine', { file: 'a.bson' });
    await expect(attempt).rejects.toMatchObject({
      message: expect.stringMatching(/^document 1, at byte 0, claims a length of/),
      remedy: expect.not.stringMatching(/Extended JSON/),
    });
  });

  it.each([
    [
      'text',
      '{"a":1}\n{"b":1e999}',
      /^document 2, .* at b: 1e999 became .*, which --strict refuses/,
    ],
    [
      'BSON',
      withLengths('0000000006610000'),
      /at a: undefined became null, which --strict refuses/,
    ],
  ])('%s that changes, if it is to be strict', async (_what, content, message) => {
    const attempt = importContent(content, 'mine', { isStrict: true });
    await expect(attempt).rejects.toThrow(message);
    await expect(attempt).rejects.toThrow(FormatError);
    expect(readdirSync(join(directory, 'store'))).toEqual([]);
  });

  it('more than the limit under gzip', async () => {
    const content = gzipSync(Buffer.alloc(2 ** 20));
    expect(() => recognizeContent(content, 'a.json.gz', 2 ** 19)).toThrow(/is too large/);
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

describe('removeCorpus', () => {
  it('removes the corpus and its documents, and it can be imported again', async () => {
    const first = await importContent('{"a":1}');
    removeCorpus('mine', { directory });
    expect(readdirSync(join(directory, 'store'))).toEqual([]);
    await expect(prepareCorpus('mine', { directory })).rejects.toThrow(/no corpus 'mine'/);
    expect(await importContent('{"a":1}')).toEqual(first);
  });

  it('keeps documents that another corpus has, too', async () => {
    await importContent('{"a":1}');
    await importContent('{"a":1}', 'other');
    removeCorpus('mine', { directory });
    expect((await readBack('other')).lines).toEqual(['{"a":1}']);
  });

  it('removes a corpus whose record is broken', async () => {
    await importContent('{"a":1}');
    writeFileSync(recordPath(directory, 'mine'), '{');
    removeCorpus('mine', { directory });
    await importContent('{"a":2}');
  });

  it.each(['mien', 'flat', '../mine'])('refuses %j, which was not imported', async (name) => {
    await importContent('{"a":1}');
    expect(() => removeCorpus(name, { directory })).toThrow(UsageError);
  });
});
