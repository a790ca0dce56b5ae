import { inspect } from 'node:util';
import { chooseWriter } from '../../operations/bson-to-json.js';
import { demandSame } from '../breach.js';

/** @import { Codec, Theme } from '../breach.js' */

/** Decoded documents as text. @type {Theme} */
export const textForms = {
  title: 'Text forms',
  rows: [
    {
      name: 'json',
      promise: 'JSON.stringify and EJSON.stringify return the same text as with bson',
      check(codec, reference) {
        demandSame('JSON', codec, reference, (bson) => JSON.stringify(readSample(bson)));
        for (const relaxed of [true, false]) {
          demandSame(`EJSON, relaxed ${relaxed}`, codec, reference, (bson) =>
            bson.EJSON.stringify(readSample(bson), { relaxed }),
          );
        }
        demandSame('JSON of BSON', codec, reference, (bson) =>
          String(chooseWriter(bson)(writeSample(bson))),
        );
        demandSame('EJSON read and written as BSON', codec, reference, (bson) =>
          bson.serialize(bson.EJSON.parse(bson.EJSON.stringify(readSample(bson)))),
        );
      },
    },
    {
      name: 'util-inspect',
      isOfNode: true,
      promise: 'util.inspect, and so console.log, shows the same as with bson',
      check(codec, reference) {
        for (const depth of [2, 9]) {
          demandSame(`depth ${depth}`, codec, reference, (bson) =>
            inspect(readSample(bson), { depth, colors: false }),
          );
        }
      },
    },
  ],
};

/** @type {(bson: Codec) => any} the sample as the variant reads it */
function readSample(bson) {
  return bson.deserialize(writeSample(bson));
}

/**
 * A document with values of every type, written by the variant.
 * @type {(bson: Codec) => Uint8Array}
 */
function writeSample(bson) {
  const id = new bson.ObjectId('0123456789abcdef01234567');
  return bson.serialize({
    _id: id,
    text: 'a é 漢 😀 "\n',
    numbers: [0, -0, 1.5, -7, 2 ** 40, NaN, Infinity],
    large: bson.Long.fromString('9007199254740993'),
    yes: true,
    nothing: null,
    date: new Date(1e12 + 7),
    pattern: /a+b/im,
    binary: new bson.Binary(Buffer.from('abc'), 0),
    uuid: new bson.UUID('00112233-4455-6677-8899-aabbccddeeff'),
    decimal: bson.Decimal128.fromString('1.50'),
    code: new bson.Code('f()', { x: id }),
    reference: new bson.DBRef('c', id, 'db', { extra: 1 }),
    stamp: new bson.Timestamp({ t: 5, i: 6 }),
    low: new bson.MinKey(),
    high: new bson.MaxKey(),
    in: { deeper: [{ id }] },
  });
}
