import { inspect } from 'node:util';
import { demandSame } from '../breach.js';

/** @import { Codec, Theme } from '../types.ts' */

/** What a document looks like to those who print it. @type {Theme} */
export const textForms = {
  title: 'Text forms',
  rows: [
    {
      name: 'json',
      promise: 'JSON.stringify and EJSON.stringify return the same text as with bson',
      check(codec, reference) {
        demandSame('JSON', codec, reference, (side) => JSON.stringify(readSample(side)));
        for (const relaxed of [true, false]) {
          demandSame(`EJSON, relaxed ${relaxed}`, codec, reference, (side) =>
            side.EJSON.stringify(readSample(side), { relaxed }),
          );
        }
        demandSame('EJSON read and written as BSON', codec, reference, (side) =>
          side.serialize(side.EJSON.parse(side.EJSON.stringify(readSample(side)))),
        );
      },
    },
    {
      name: 'util-inspect',
      promise: 'util.inspect, and so console.log, shows the same as with bson',
      check(codec, reference) {
        for (const depth of [2, 9]) {
          demandSame(`depth ${depth}`, codec, reference, (side) =>
            inspect(readSample(side), { depth, colors: false }),
          );
        }
      },
    },
  ],
};

/**
 * A document of every type, written and read by the variant.
 *
 * @param {Codec} side
 * @returns {any}
 */
function readSample(side) {
  const id = new side.ObjectId('0123456789abcdef01234567');
  return side.deserialize(
    side.serialize({
      _id: id,
      text: 'a é 漢 😀 "\n',
      numbers: [0, -0, 1.5, -7, 2 ** 40, NaN, Infinity],
      large: side.Long.fromString('9007199254740993'),
      yes: true,
      nothing: null,
      date: new Date(1e12 + 7),
      pattern: /a+b/im,
      binary: new side.Binary(Buffer.from('abc'), 0),
      uuid: new side.UUID('00112233-4455-6677-8899-aabbccddeeff'),
      decimal: side.Decimal128.fromString('1.50'),
      code: new side.Code('f()', { x: id }),
      reference: new side.DBRef('c', id, 'db', { extra: 1 }),
      stamp: new side.Timestamp({ t: 5, i: 6 }),
      low: new side.MinKey(),
      high: new side.MaxKey(),
      in: { deeper: [{ id }] },
    }),
  );
}
