import { demand, demandSame } from '../breach.js';

/** @import { Codec, Theme } from '../breach.js' */

const HEX = '0123456789abcdef01234567';
const OTHER_HEX = 'fedcba9876543210fedcba98';

/** 16 MB and some thousand calls, after which memory may be used again. */
const LATER = { calls: 4_096, text: 'x'.repeat(4_096) };

/** Which values share memory. @type {Theme} */
export const memory = {
  title: 'Memory',
  rows: [
    {
      name: 'input-aliasing',
      promise:
        'of the result of reading, only binary values and raw documents share the input, as in bson',
      check: checkInputAliasing,
    },
    {
      name: 'output-aliasing',
      promise:
        'written bytes belong to the caller: changing them has no effect, and they never change',
      check: checkOutputAliasing,
    },
    {
      name: 'id-aliasing',
      promise: 'changing the bytes returned by an id changes no other id and no document',
      check: checkIdAliasing,
    },
  ],
};

/** @param {Codec} codec @param {Codec} reference */
function checkInputAliasing(codec, reference) {
  const bytes = reference.serialize({
    id: new reference.ObjectId(HEX),
    text: 'a longer text, é',
    decimal: new reference.Decimal128(Buffer.alloc(16, 7)),
    uuid: new reference.UUID('00112233-4455-6677-8899-aabbccddeeff'),
    binary: Buffer.from('abcdef'),
    list: [{ pattern: /x/, code: new reference.Code('f', { binary: Buffer.from('gh') }) }],
  });
  for (const options of [{}, { promoteBuffers: true }, { raw: true }, { promoteValues: false }]) {
    const label = JSON.stringify(options);
    demandSame(`${label}, after the input changed`, codec, reference, (bson) => {
      const input = Buffer.from(bytes);
      const value = bson.deserialize(input, options);
      input.fill(0x2e);
      return value;
    });
    demandSame(`${label}, input after a binary value changed`, codec, reference, (bson) => {
      const input = Buffer.from(bytes);
      const { binary } = bson.deserialize(input, options);
      (binary.buffer instanceof ArrayBuffer ? binary : binary.buffer).fill(0x2e);
      return input;
    });
  }
}

/**
 * `equals` of the npm package `buffer` takes no plain byte arrays.
 * @type {(one: Uint8Array, other: Uint8Array) => boolean}
 */
function isSame(one, other) {
  return Buffer.compare(one, other) === 0;
}

/** @param {Codec} codec */
function checkOutputAliasing({ serialize, deserialize, Binary }) {
  const source = Buffer.from('abcdef');
  const document = { binary: new Binary(source), text: 'é'.repeat(40) };
  const written = serialize(document);
  const expected = Buffer.from(written);
  source.fill(0);
  demand(isSame(expected, written), 'written bytes change with the value that was written');
  source.write('abcdef');
  serialize({ another: 'x'.repeat(200), list: [1, 2, 3] });
  demand(isSame(expected, written), 'written bytes change when another document is written');
  const second = serialize(document);
  written.fill(0xff);
  demand(isSame(expected, second), 'written bytes change with those of an earlier call');
  demand(isSame(expected, serialize(document)), 'changing returned bytes affects later writing');
  for (let call = 0; call < LATER.calls; call++) serialize({ call, text: LATER.text });
  demand(isSame(expected, second), `written bytes change within ${LATER.calls} later calls`);
  const value = deserialize(second);
  demand(isSame(expected, serialize(value)), 'a decoded document is written as other bytes');
}

/** @param {Codec} codec */
function checkIdAliasing({ ObjectId, serialize, deserialize }) {
  const input = Buffer.from(serialize({ a: new ObjectId(HEX), b: new ObjectId(OTHER_HEX) }));
  const expected = Buffer.from(input);
  const { a, b } = deserialize(input);
  const neighbours = [new ObjectId(HEX), new ObjectId(), new ObjectId(OTHER_HEX)];
  const before = neighbours.map(String);
  a.id.fill(0xee);
  neighbours[1].id.fill(0xdd);
  demand(isSame(expected, input), 'an id shares its bytes with the document it was read from');
  demand(b.toHexString() === OTHER_HEX, 'the ids of a document share their bytes');
  const after = neighbours.map(String);
  demand(after[0] === before[0] && after[2] === before[2], 'consecutive ids share their bytes');
}
