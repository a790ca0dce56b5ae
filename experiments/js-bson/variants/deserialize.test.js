import * as bson from 'bson';
import { describeMore } from '../../../harness/testing/support/gates.js';
import { assertSameOutcome, loadVariants, outcomeOf } from '../codec/test-support/variants.js';
import { Chance, randomDocument } from '../fuzz/documents.js';

const variants = await loadVariants();

/** @type {any[]} */
const OPTION_SETS = [
  {},
  null,
  { promoteValues: false },
  { promoteLongs: false },
  { promoteBuffers: true },
  { promoteBuffers: true, promoteValues: false },
  { useBigInt64: true },
  { useBigInt64: true, promoteValues: false },
  { useBigInt64: true, promoteLongs: false },
  { bsonRegExp: true },
  { raw: true },
  { fieldsAsRaw: { list: true, 0: true } },
  { validation: { utf8: false } },
  { validation: { utf8: { a: true, list: true } } },
  { validation: { utf8: { a: false } } },
  { validation: { utf8: {} } },
  { validation: { utf8: { a: true, b: false } } },
  { validation: { utf8: { a: 1 } } },
  { validation: {} },
  { allowObjectSmallerThanBufferSize: true },
  { index: 3 },
  { promoteValues: 0, promoteLongs: 1, bsonRegExp: 'yes', raw: null },
];

const DOCUMENTS = 25;
/** @type {Buffer[]} */
const valid = [];
for (let seed = 1; valid.length < DOCUMENTS; seed++) {
  const outcome = outcomeOf(() => bson.serialize(randomDocument(new Chance(seed), 3)));
  if ('value' in outcome) valid.push(outcome.value);
}

/**
 * Bytes to read and the outcome of bson, computed once for all variants.
 * @typedef {object} Case
 * @property {Buffer} bytes
 * @property {any} options
 * @property {string} label
 * @property {import('../codec/test-support/variants.js').Outcome} theirs
 */

/** @type {(bytes: Buffer, options: any, label: string) => Case} */
function makeCase(bytes, options, label) {
  return { bytes, options, label, theirs: outcomeOf(() => bson.deserialize(bytes, options)) };
}

const whole = valid.flatMap((bytes, document) =>
  OPTION_SETS.map((options) =>
    makeCase(bytes, options, `document ${document} ${JSON.stringify(options)}`),
  ),
);

const broken = valid.flatMap((bytes, document) => {
  const chance = new Chance(document);
  return Array.from({ length: 25 }, () => {
    const changed = Buffer.from(bytes);
    const at = chance.integer(0, changed.length - 1);
    changed[at] = chance.pick([0, 1, 2, 3, 4, 15, 127, 128, 255, chance.integer(0, 255)]);
    const options = chance.pick(OPTION_SETS);
    const place = `document ${document} byte ${at} = ${changed[at]}`;
    return makeCase(changed, options, `${place} ${JSON.stringify(options)}`);
  });
});

const short = valid.flatMap((bytes, document) => {
  const chance = new Chance(document);
  return Array.from({ length: 10 }, () => {
    const cut = Buffer.from(bytes.subarray(0, chance.integer(0, bytes.length)));
    const label = `document ${document} cut at ${cut.length}`;
    if (cut.length < 5) return [makeCase(cut, {}, label)];
    const corrected = Buffer.from(cut);
    corrected.writeInt32LE(cut.length, 0);
    corrected[cut.length - 1] = 0;
    return [makeCase(cut, {}, label), makeCase(corrected, {}, `${label}, size corrected`)];
  }).flat();
});

const deprecated = Buffer.from(
  '2e0000000675006c0e73000400000073796d000c70000400000064622e630001020304050607080900ab0c00',
  'hex',
);

describeMore.each(variants)('%s deserializes like bson', (_name, variant) => {
  /** @param {any} bytes @param {any} options @param {string} label */
  function compare(bytes, options, label) {
    return compareCase(makeCase(bytes, options, label));
  }

  /** @param {Case} one */
  function compareCase({ bytes, options, label, theirs }) {
    const ours = outcomeOf(() => variant.deserialize(bytes, options));
    assertSameOutcome(ours, theirs, label);
    return ours;
  }

  test('valid documents under all options', () => {
    for (const one of whole) compareCase(one);
  });

  test('documents with one byte changed', () => {
    let accepted = 0;
    let refused = 0;
    for (const one of broken) {
      if ('value' in compareCase(one)) accepted++;
      else refused++;
    }
    expect(accepted).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(100);
  });

  test('truncated documents, with and without a corrected size', () => {
    for (const one of short) compareCase(one);
  });

  test('a document inside a larger buffer', () => {
    const bytes = Buffer.concat([Buffer.from([1, 2, 3]), valid[5], Buffer.from([9])]);
    for (const index of [0, 3, 4, bytes.length, -1]) {
      for (const allowObjectSmallerThanBufferSize of [true, false]) {
        const options = { index, allowObjectSmallerThanBufferSize };
        compare(bytes, options, JSON.stringify(options));
      }
    }
  });

  test('any kind of bytes, and nothing else', () => {
    const bytes = new Uint8Array(valid[2]);
    const view = new DataView(bytes.buffer);
    for (const input of [bytes, bytes.buffer, view, null, undefined, 'text', {}, [5, 0, 0, 0, 0]]) {
      compare(input, {}, String(input));
    }
  });

  test('deprecated types and repeated keys', () => {
    compare(deprecated, {}, 'deprecated');
    compare(deprecated, { promoteValues: false }, 'deprecated, not promoted');
    const repeated = Buffer.from('130000001061000100000010610002000000' + '00', 'hex');
    expect(compare(repeated, {}, 'repeated')).toEqual({ value: { a: 2 } });
  });

  test('a key __proto__ becomes a property and pollutes nothing', () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":1},"in":{"__proto__":[1]}}');
    const result = variant.deserialize(bson.serialize(hostile));
    expect(Object.keys(result)).toEqual(['__proto__', 'in']);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(result.in)).toBe(Object.prototype);
    expect(result.polluted).toBeUndefined();
  });

  test('a key is not taken for one whose characters are its bytes', () => {
    // These two have the same hash in the cache of cached-keys.
    const key = '\xe9\xe920jr';
    for (const name of [Buffer.from(key).toString('latin1'), key, 'plain', '\ufffdplain']) {
      compare(bson.serialize({ [name]: 1 }), {}, name);
      compare(bson.serialize({ in: { [name]: 1 } }), {}, name);
    }
  });

  test('inherited options have no effect', () => {
    const options = Object.create({ promoteValues: false, raw: true, bsonRegExp: true });
    compare(valid[7], options, 'inherited options');
  });

  test('documents become DBRefs depending only on their fields', () => {
    const id = new bson.ObjectId('0123456789abcdef01234567');
    for (const document of [
      { $ref: 'c', $id: id },
      { $ref: 'd.c', $id: 1, $db: 'x', extra: { $ref: 'c', $id: id } },
      { $ref: 'c', $id: id, $other: 1 },
      { $other: 1, $ref: 'c', $id: id },
      { $ref: 'c', $id: null },
      { $ref: 5, $id: id },
      { $ref: 'c', $id: id, $db: 5 },
      { $id: id, plain: 1 },
    ]) {
      for (const whole of [
        document,
        { in: document },
        { in: [document] },
        { c: new bson.Code('f', document) },
      ]) {
        compare(bson.serialize(whole), {}, JSON.stringify(whole));
      }
    }
  });
});
