import { demandSame, demand } from '../breach.js';

/** @import { Codec, Theme } from '../breach.js' */

const EXTREMES = [
  0,
  -0,
  NaN,
  Infinity,
  -Infinity,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
  -Number.MIN_VALUE,
  Number.EPSILON,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53),
  -(2 ** 53) - 2,
  2 ** 63,
  2 ** 64,
];
const LONGS = [
  '0',
  '-1',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740991',
  '-9007199254740992',
  '-9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
];
const LONG_READINGS = [
  {},
  { promoteLongs: false },
  { promoteValues: false },
  { useBigInt64: true },
];
/** The NaNs of one double in a document: quiet, with a payload, signalling and negative. */
const NAN_BITS = [
  0x7ff8000000000000n,
  0x7ff8000000000001n,
  0x7ff0000000000001n,
  0xfffc0ffee0000123n,
];
/** Where the field of a document `{ a: NaN }` begins, and the byte and bit in it that make the NaN quiet. */
const NAN_OFFSET = 7;
const QUIET_BYTE = NAN_OFFSET + 6;
const QUIET_BIT = 0x08;

/** Unusual strings, and numbers at the limits of their ranges. @type {Theme} */
export const values = {
  title: 'Strings and numbers',
  rows: [
    {
      name: 'non-ascii-strings',
      promise: 'non-ASCII keys and values of all lengths are written and read correctly',
      check(codec, reference) {
        const texts = [
          'é',
          '漢字',
          '😀',
          '\u0080',
          '\u07ff',
          '\u0800',
          '\uffff',
          '\u{10ffff}',
          'a\0b',
        ];
        checkTexts(codec, reference, texts);
        for (const text of texts.slice(0, -1)) {
          const { value } = codec.deserialize(codec.serialize({ value: text }));
          demand(value === text, `'${text}' is read as '${value}'`);
        }
      },
    },
    {
      name: 'lone-surrogates',
      promise: 'a lone surrogate is written as U+FFFD, as in bson',
      check(codec, reference) {
        checkTexts(codec, reference, ['\ud800', '\udc00', 'a\ud83d', '\ude00b', '\udc00\ud800']);
        const { value } = codec.deserialize(codec.serialize({ value: 'a\ud800b' }));
        demand(value === 'a\ufffdb', `a lone surrogate is read as '${value}'`);
      },
    },
    {
      name: 'extreme-numbers',
      promise:
        '-0, NaN with its payload, 2^53±1 and limits of Long are as in bson; a signalling NaN may turn quiet',
      check(codec, reference) {
        checkDoubles(codec, reference);
        checkLongs(codec, reference);
      },
    },
  ],
};

/** @param {Codec} codec @param {Codec} reference @param {string[]} texts */
function checkTexts(codec, reference, texts) {
  for (const text of texts) {
    // Codecs handle short strings separately.
    for (const filling of ['', 'x'.repeat(7), 'y'.repeat(24), 'z'.repeat(300)]) {
      const long = filling + text + filling;
      const label = `${long.length} characters with ${JSON.stringify(text)}`;
      demandSame(label, codec, reference, (bson) => bson.serialize({ value: long, list: [long] }));
      demandSame(`${label}, read`, codec, reference, (bson) =>
        bson.deserialize(bson.serialize({ value: long, symbol: new bson.BSONSymbol(long) })),
      );
      demandSame(`${label} as key`, codec, reference, (bson) =>
        bson.deserialize(bson.serialize({ [long]: { [long]: 1 } })),
      );
    }
  }
}

/** @param {Codec} codec @param {Codec} reference */
function checkDoubles(codec, reference) {
  for (const number of EXTREMES) {
    const label = Object.is(number, -0) ? '-0' : String(number);
    demandSame(label, codec, reference, (bson) =>
      bson.serialize({ a: number, list: [number], d: new bson.Double(number) }),
    );
    demandSame(`${label}, read`, codec, reference, (bson) =>
      bson.deserialize(bson.serialize({ a: number, list: [number], d: new bson.Double(number) })),
    );
  }
  for (const bits of NAN_BITS) {
    const bytes = Buffer.from('10000000' + '016100' + '00'.repeat(8) + '00', 'hex');
    bytes.writeBigUInt64LE(bits, NAN_OFFSET);
    const label = `NaN ${bits.toString(16)}`;
    demandSame(label, codec, reference, (bson) => bson.deserialize(bytes));
    demandSame(`${label}, round trip`, codec, reference, (bson) =>
      quieten(bson.serialize(bson.deserialize(bytes))),
    );
  }
}

/**
 * Whether a signalling NaN becomes quiet on its way is the choice of the processor and of V8's compilers:
 * the interpreter copies it, and optimised code may do arithmetic with it. The rest of its payload stays.
 * @param {Uint8Array} bytes of a document with one NaN
 * @returns {Uint8Array} with that NaN quiet
 */
function quieten(bytes) {
  const copy = Uint8Array.from(bytes);
  copy[QUIET_BYTE] |= QUIET_BIT;
  return copy;
}

/** @param {Codec} codec @param {Codec} reference */
function checkLongs(codec, reference) {
  for (const text of LONGS) {
    demandSame(`Long ${text}`, codec, reference, (bson) =>
      bson.serialize({ long: bson.Long.fromString(text), bigint: BigInt(text) }),
    );
    const bytes = reference.serialize({ long: reference.Long.fromString(text) });
    for (const options of LONG_READINGS) {
      demandSame(`Long ${text} under ${JSON.stringify(options)}`, codec, reference, (bson) =>
        bson.deserialize(bytes, options),
      );
    }
  }
  for (const large of [2n ** 63n, -(2n ** 63n) - 1n, 2n ** 64n + 5n]) {
    demandSame(`${large}n`, codec, reference, (bson) => bson.serialize({ large }));
  }
}
