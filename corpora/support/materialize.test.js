import * as bson from 'bson';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importCorpus } from './import.js';
import { LITERAL_FILE, materializeDocuments } from './materialize.js';
import { prepareCorpus } from './prepare.js';
import { makeTestDirectory } from '../../harness/testing/support/directories.js';
import { evaluateFresh } from '../../harness/testing/support/fresh-process.js';

/** @import { Provenance } from '../../harness/formats/types.ts' */

const directory = makeTestDirectory('materialize');

/** @returns {import('bson').Document} values of every type, including special ones */
function makeEveryType() {
  return {
    text: 'line\nbreak, "quote", \\, \u2028, é, 😀, \u0000',
    int32: new bson.Int32(-5),
    doubles: [5, 3e9, 0.1, -0, NaN, -Infinity, 1e300].map((value) => new bson.Double(value)),
    longs: [bson.Long.MAX_VALUE, bson.Long.MIN_VALUE, bson.Long.fromNumber(5)],
    decimals: ['NaN', '-0E+3', '123.4500'].map((text) => bson.Decimal128.fromString(text)),
    binaries: [new bson.Binary(Buffer.from([1, 2, 255]), 0x80), new bson.UUID('0'.repeat(32))],
    _id: new bson.ObjectId('0123456789abcdef01234567'),
    timestamp: new bson.Timestamp({ t: 4294967295, i: 1 }),
    dates: [new Date(0), new Date(-1), new Date(8.64e15)],
    expression: new bson.BSONRegExp('a"\\/b', 'im'),
    symbol: new bson.BSONSymbol('sym'),
    codes: [new bson.Code('f()'), new bson.Code('g("x")', { deep: { y: new bson.Int32(1) } })],
    reference: new bson.DBRef('things', new bson.ObjectId('f'.repeat(24)), 'db', { extra: true }),
    keys: [new bson.MinKey(), new bson.MaxKey()],
    nothing: null,
    ['__proto__']: { polluted: true },
    'key "with" quotes': {},
    empty: [],
  };
}

describe('materializeDocuments', () => {
  it('preserves every type and value as a literal', async () => {
    const bytes = bson.serialize(makeEveryType());
    const file = join(directory, 'every-type.bson');
    writeFileSync(file, bytes);
    expect((await importCorpus('every-type', file, { directory })).notes).toEqual([]);
    const prepared = await prepareCorpus('every-type@literal', { directory });
    const [document] = await materializeDocuments(bson, prepared);
    expect(Buffer.from(bson.serialize(document ?? {})).equals(bytes)).toBe(true);
    expect(readFileSync(prepared.files.bytes).equals(bytes)).toBe(true);
    expect(Object.getPrototypeOf(document)).toBe(Object.prototype);
  });

  it('creates documents with the value classes and readers of the module', async () => {
    class ObjectId extends bson.ObjectId {}
    const EJSON = { parse: () => ({ from: 'own EJSON' }) };
    const deserialize = () => ({ from: 'own deserialize' });
    const module = { ...bson, ObjectId, EJSON, deserialize };
    const [literal, parsed, deserialized] = await Promise.all(
      ['flat@literal', 'flat', 'flat@deserialized'].map(async (label) => {
        const prepared = await prepareCorpus(label, { directory });
        return (await materializeDocuments(module, prepared))[0];
      }),
    );
    expect(literal?._id).toBeInstanceOf(ObjectId);
    expect(parsed).toEqual({ from: 'own EJSON' });
    expect(deserialized).toEqual({ from: 'own deserialize' });
  });

  it('uses the reference if the module lacks EJSON or value classes', async () => {
    for (const label of ['full', 'full@literal']) {
      const prepared = await prepareCorpus(label, { directory });
      const [document] = await materializeDocuments({ serialize: bson.serialize }, prepared);
      expect(document?._id).toBeInstanceOf(bson.ObjectId);
    }
  });

  /** As the manual states them. @type {[Provenance, number][]} */
  const limits = [
    ['parsed', 128],
    ['deserialized', 20],
    ['literal', Number.parseInt(process.versions.v8) < 14 ? 1021 : 128],
  ];
  it.each(limits)('creates %s objects that are dictionaries from %d keys on', (how, limit) => {
    // V8 keeps an object fast if another has had the same keys in the same order, so all are different, and
    // no object is made to write them.
    const keys = [limit - 1, limit].map((count) =>
      Array.from({ length: count }, (_, index) => `${how}-${count}-${index}`),
    );
    const lines = keys.map((names) => `{${names.map((name) => `"${name}":1`).join()}}\n`).join('');
    const text = join(directory, `${how}.json`);
    const canonical = join(directory, `${how}.bson`);
    writeFileSync(text, lines);
    writeFileSync(join(directory, LITERAL_FILE), lines);
    writeFileSync(canonical, Buffer.concat(keys.map(encodeOnes)));
    const script = `import * as bson from '${import.meta.resolve('bson')}';
        import { materializeDocuments } from '${new URL('materialize.js', import.meta.url)}';
        import { countDictionaryObjects } from '${new URL('statistics.js', import.meta.url)}';
        const documents = await materializeDocuments(bson, JSON.parse(process.argv[1]));
        const counts = documents.map((document) => countDictionaryObjects([document]).dictionary);
        console.log(JSON.stringify(counts));`;
    const corpus = { provenance: how, files: { text, canonical } };
    expect(evaluateFresh(script, [JSON.stringify(corpus)])).toEqual([0, 1]);
  });
});

/** @type {(names: string[]) => Uint8Array} BSON of a document with the int32 1 under each name */
function encodeOnes(names) {
  const one = Buffer.from('0001000000', 'hex');
  const fields = names.map((name) => Buffer.concat([Buffer.from([0x10]), Buffer.from(name), one]));
  const length = Buffer.alloc(4);
  const body = Buffer.concat([...fields, Buffer.alloc(1)]);
  length.writeInt32LE(length.length + body.length);
  return Buffer.concat([length, body]);
}
