import { demand, demandSame } from '../breach.js';

/** @import { Codec, Theme } from '../breach.js' */

const HEX = '0123456789abcdef01234567';
const OTHER_HEX = 'fedcba9876543210fedcba98';
/** Calls before a change, because a cache may need several calls to fill. */
const EARLIER_CALLS = 3;

/** A call may remember nothing of earlier calls that the caller can change. @type {Theme} */
export const changes = {
  title: 'Changes between calls',
  rows: [
    {
      name: 'changed-documents',
      promise:
        'a document that has changed since an earlier call is written and sized as it is now',
      check: checkDocuments,
    },
    {
      name: 'changed-ids',
      promise: 'an id that has changed since an earlier call is written with its present bytes',
      check: checkIds,
    },
    {
      name: 'changed-input',
      promise: 'bytes that have changed since an earlier call are read as they are now',
      check: checkInput,
    },
    {
      name: 'changed-options',
      promise: 'the options of a call do not affect later calls with the same document or bytes',
      check: checkOptions,
    },
    {
      name: 'changed-results',
      promise:
        'a result that the caller has changed does not affect other results, except as in bson',
      check: checkResults,
    },
  ],
};

/**
 * Calls that write a document, with a comparable result.
 * @type {Record<string, (bson: Codec, document: any) => unknown>}
 */
const WRITERS = {
  serialize: (bson, document) => showBytes(bson.serialize(document)),
  serializeWithBufferAndIndex(bson, document) {
    const target = Buffer.alloc(1_024);
    const end = bson.serializeWithBufferAndIndex(document, target, { index: 7 });
    return showBytes(target.subarray(0, end + 1));
  },
  calculateObjectSize: (bson, document) => bson.calculateObjectSize(document),
};

/**
 * @param {Codec} codec
 * @returns {[name: string, write: (bson: Codec, document: any) => unknown][]} those that it has
 */
function listWriters(codec) {
  return Object.entries(WRITERS).filter(([name]) => name in codec);
}

/** @param {Uint8Array} bytes */
function showBytes(bytes) {
  return Buffer.from(bytes).toString('hex');
}

/** @type {(bson: Codec) => any} */
function makeDocument({ Binary, Code }) {
  return {
    number: 5,
    text: 'before',
    flag: true,
    date: new Date(5),
    nested: { deeper: { number: 5 }, text: 'x' },
    list: [1, 'two', { three: 3 }, [4]],
    empty: {},
    emptyList: [],
    map: new Map(Object.entries({ a: { b: 1 }, c: 2 })),
    bytes: Buffer.from('abc'),
    binary: new Binary(Buffer.from('def')),
    code: new Code('f', { scope: 1 }),
    replaced: { value: 1, toBSON: replaceByValue },
  };
}

/** @this {any} */
function replaceByValue() {
  return { value: this.value };
}

/** @type {Record<string, (document: any) => void>} */
const CHANGES = {
  'a number': (document) => (document.number = 6),
  'a text': (document) => (document.text = 'behind'),
  'the type of a value': (document) => (document.flag = null),
  'a date': ({ date }) => date.setTime(6),
  'an added key': (document) => (document.added = 1),
  'a deleted key': (document) => delete document.text,
  'a renamed key'(document) {
    delete document.replaced;
    document.renamed = { value: 1 };
  },
  'the order of keys'(document) {
    delete document.number;
    document.number = 5;
  },
  'a nested value': ({ nested }) => (nested.deeper.number = 6),
  'a nested key': ({ nested }) => (nested.deeper.added = 1),
  'a nested document': ({ nested }) => (nested.deeper = { number: 6 }),
  'an array element': ({ list }) => (list[0] = 2),
  'a document in an array': ({ list }) => (list[2].three = 4),
  'an array in an array': ({ list }) => list[3].push(5),
  'an added array element': ({ list }) => list.push(5),
  'the length of an array': ({ list }) => (list.length = 1),
  'a Map entry': ({ map }) => map.set('c', 3),
  'an added Map entry': ({ map }) => map.set('d', 3),
  'a deleted Map entry': ({ map }) => map.delete('c'),
  'a document in a Map': ({ map }) => (map.get('a').b = 2),
  'bytes in place': ({ bytes }) => (bytes[1] = 0x7a),
  'binary bytes in place': ({ binary }) => (binary.buffer[1] = 0x7a),
  'a scope': ({ code }) => (code.scope.scope = 2),
  'the result of toBSON': ({ replaced }) => (replaced.value = 2),
};

/** @type {Record<string, (document: Map<string, any>) => void>} */
const MAP_CHANGES = {
  'an entry of the Map': (document) => document.set('number', 6),
  'an added entry of the Map': (document) => document.set('added', 1),
  'a deleted entry of the Map': (document) => document.delete('number'),
  'a document in the Map': (document) => (document.get('nested').text = 'y'),
};

/** @param {Codec} codec @param {Codec} reference */
function checkDocuments(codec, reference) {
  const roots = /** @type {const} */ ([
    [CHANGES, makeDocument],
    [MAP_CHANGES, (/** @type {Codec} */ bson) => new Map(Object.entries(makeDocument(bson)))],
  ]);
  for (const [table, make] of roots) {
    for (const [what, change] of Object.entries(table)) {
      for (const [name, write] of listWriters(codec)) {
        const document = make(codec);
        for (let call = 0; call < EARLIER_CALLS; call++) write(codec, document);
        change(document);
        // Versions of bson differ in the sizes of Maps.
        const judge = name === 'calculateObjectSize' ? codec : reference;
        const equal = make(judge);
        change(equal);
        const expected = write(judge, equal);
        const isSame = write(codec, document) === expected && write(codec, document) === expected;
        demand(isSame, `the result of ${name} is wrong after a change of ${what}`);
      }
    }
  }
}

/**
 * What an id makes of a change of the bytes that it returns depends on its representation: some return a
 * copy. What is written must agree with what it returns afterwards.
 * @type {Record<string, (id: any) => void>}
 */
const ID_CHANGES = {
  'was set to other bytes': (id) => (id.id = Buffer.from(OTHER_HEX, 'hex')),
  'returned bytes that were changed': (id) => (id.id[11] ^= 0xff),
};

/** @param {Codec} codec @param {Codec} reference */
function checkIds(codec, reference) {
  for (const [what, change] of Object.entries(ID_CHANGES)) {
    for (const [name, write] of listWriters(codec)) {
      const id = new codec.ObjectId(HEX);
      const document = { _id: id, list: [{ id }] };
      for (let call = 0; call < EARLIER_CALLS; call++) write(codec, document);
      change(id);
      const same = new reference.ObjectId(Buffer.from(id.id));
      demand(
        write(codec, document) === write(reference, { _id: same, list: [{ id: same }] }),
        `${name} writes an id that ${what} with other bytes than it has now`,
      );
    }
  }
  const id = new codec.ObjectId(HEX);
  id.id = Buffer.from(OTHER_HEX, 'hex');
  demand(showBytes(id.id) === OTHER_HEX, 'an id does not return the bytes that it was set to');
}

/**
 * Documents with equally long BSON.
 * @type {[what: string, before: (bson: Codec) => object, after: (bson: Codec) => object][]}
 */
const EQUALLY_LONG = [
  ['a number', () => ({ a: 5 }), () => ({ a: 6 })],
  ['a text', () => ({ a: 'before' }), () => ({ a: 'behind' })],
  ['a key', () => ({ key: 1, z: 1 }), () => ({ kez: 1, y: 1 })],
  ['the type of a value', () => ({ a: null }), ({ MinKey }) => ({ a: new MinKey() })],
  ['a date', () => ({ a: new Date(5) }), () => ({ a: new Date(6) })],
  ['a nested value', () => ({ a: { b: [{ c: 1 }] } }), () => ({ a: { b: [{ c: 2 }] } })],
  [
    'an id',
    ({ ObjectId }) => ({ a: new ObjectId(HEX) }),
    ({ ObjectId }) => ({ a: new ObjectId(OTHER_HEX) }),
  ],
  ['a binary value', () => ({ a: Buffer.from('abc') }), () => ({ a: Buffer.from('abd') })],
  [
    'all values',
    () => ({ a: 'one', b: 1.5, c: { d: true }, e: [1, 2] }),
    () => ({ a: 'two', b: 2.5, c: { d: false }, e: [3, 4] }),
  ],
];

/** @type {Record<string, (memory: ArrayBuffer, start: number, length: number) => Uint8Array>} */
const VIEWS = {
  Buffer: (memory, start, length) => Buffer.from(memory, start, length),
  Uint8Array: (memory, start, length) => new Uint8Array(memory, start, length),
};

/** @param {Codec} codec @param {Codec} reference */
function checkInput(codec, reference) {
  for (const [what, makeBefore, makeAfter] of EQUALLY_LONG) {
    const before = reference.serialize(makeBefore(reference));
    const after = reference.serialize(makeAfter(reference));
    for (const [className, viewBytes] of Object.entries(VIEWS)) {
      const label = `after a change of ${what} in a ${className}`;
      demandSame(label, codec, reference, (bson) => {
        const input = viewBytes(copyToMemory(before), 0, before.length);
        for (let call = 0; call < EARLIER_CALLS; call++) bson.deserialize(input);
        input.set(after);
        return [bson.deserialize(input), bson.deserialize(input)];
      });
      demandSame(`${label}, another view`, codec, reference, (bson) => {
        const memory = copyToMemory(before);
        const input = viewBytes(memory, 0, before.length);
        for (let call = 0; call < EARLIER_CALLS; call++) bson.deserialize(input);
        input.set(after);
        return bson.deserialize(viewBytes(memory, 0, before.length));
      });
      demandSame(`${label}, beside it`, codec, reference, (bson) => {
        const memory = copyToMemory(before, after);
        for (let call = 0; call < EARLIER_CALLS; call++) {
          bson.deserialize(viewBytes(memory, 0, before.length));
        }
        return bson.deserialize(viewBytes(memory, before.length, after.length));
      });
    }
  }
}

/** @param {...Uint8Array} parts */
function copyToMemory(...parts) {
  const memory = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  memory.set(Buffer.concat(parts));
  return memory.buffer;
}

/** @param {Codec} codec @param {Codec} reference */
function checkOptions(codec, reference) {
  for (const options of [{ ignoreUndefined: false }, { serializeFunctions: true }]) {
    demandSame(`writing with ${Object.keys(options)}`, codec, reference, (bson) => {
      const document = { a: undefined, f: replaceByValue, last: [undefined] };
      return [undefined, undefined, undefined, options, undefined].map((each) =>
        showBytes(bson.serialize(document, each)),
      );
    });
  }
  demandSame('writing with checkKeys', codec, reference, (bson) => {
    const document = { 'a.b': 1 };
    for (let call = 0; call < EARLIER_CALLS; call++) bson.serialize(document);
    return bson.serialize(document, { checkKeys: true });
  });
  const { Long, Int32 } = reference;
  const bytes = reference.serialize({
    long: Long.fromNumber(5),
    int32: new Int32(5),
    bytes: Buffer.from('x'),
    in: { deeper: 1 },
  });
  for (const options of [
    { promoteValues: false },
    { promoteLongs: false },
    { promoteBuffers: true },
    { raw: true },
  ]) {
    demandSame(`reading with ${Object.keys(options)}`, codec, reference, (bson) => {
      const input = Buffer.from(bytes);
      return [undefined, undefined, undefined, options, undefined].map((each) =>
        bson.deserialize(input, each),
      );
    });
  }
}

/** @param {Codec} codec @param {Codec} reference */
function checkResults(codec, reference) {
  demandSame('after a change of written bytes', codec, reference, (bson) => {
    const document = makeDocument(bson);
    const [first, second] = [bson.serialize(document), bson.serialize(document)];
    first.fill(0xff);
    const shown = showBytes(second);
    return [shown, showBytes(bson.serialize(document))];
  });
  const bytes = reference.serialize({
    ...makeDocument(reference),
    id: new reference.ObjectId(HEX),
    pattern: /a/g,
    decimal: new reference.Decimal128(Buffer.alloc(16, 7)),
  });
  for (const options of [{}, { promoteBuffers: true }]) {
    const label = `after a change of the document that was read with ${JSON.stringify(options)}`;
    demandSame(label, codec, reference, (bson) => {
      const input = Buffer.from(bytes);
      const [first, second] = [bson.deserialize(input, options), bson.deserialize(input, options)];
      changeEverything(first);
      return [second, bson.deserialize(input, options)];
    });
  }
}

/** @param {any} document as read from the BSON of `makeDocument` and more */
function changeEverything(document) {
  document.number = -1;
  delete document.text;
  document.added = 1;
  document.date.setTime(0);
  document.nested.deeper.number = -1;
  document.nested.deeper.added = 1;
  document.list[0] = -1;
  document.list[2].three = -1;
  document.list.push(1);
  document.empty.added = 1;
  document.emptyList.push(1);
  document.map.a.b = -1;
  document.code.scope.scope = -1;
  document.id.id.fill(0xee);
  document.pattern.lastIndex = 5;
  document.decimal.bytes.fill(0xee);
  // Shared with the input, in bson too.
  (document.binary.buffer instanceof ArrayBuffer ? document.binary : document.binary.buffer).fill(
    1,
  );
}
