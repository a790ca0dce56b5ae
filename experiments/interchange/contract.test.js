import { deserialize, serialize } from 'bson';
import { runConformance } from './conformance.js';
import * as bson from './variants/bson.js';
import * as json from './variants/json.js';
import * as v8 from './variants/v8.js';

/** @import { Format, FormatModule, Value } from './codec/types.ts' */

/**
 * @param {object} changes to the format of bson
 * @param {Record<string, string>} [breaks] in addition
 * @returns {Promise<string[]>} rows that fail
 */
async function listFailing(changes, breaks = {}) {
  const variant = { ...bson.variant, breaks: { ...bson.variant.breaks, ...breaks } };
  /** @type {FormatModule} */
  const module = {
    variant,
    openFormat: () => ({ encode: serialize, decode: deserialize, ...changes }),
  };
  const { contract } = await runConformance(module);
  return contract.filter(({ outcome }) => outcome === 'fails').map(({ name }) => name);
}

test.each(Object.entries({ bson, json, v8 }))('%s breaks what it declares', async (_, module) => {
  const { contract } = await runConformance(/** @type {FormatModule} */ (module));
  expect(contract.filter(({ outcome }) => outcome === 'fails')).toEqual([]);
  expect(contract.filter(({ outcome }) => outcome === 'differs').map(({ name }) => name)).toEqual(
    expect.arrayContaining(Object.keys(module.variant.breaks)),
  );
});

/** @type {(change: (document: any) => unknown) => Partial<Format>} a format that changes what it reads */
function readAs(change) {
  return { decode: (message) => /** @type {Value} */ (change(deserialize(message))) };
}

/** @type {(keep: (value: unknown) => boolean) => (document: any) => unknown} */
function keepFields(keep) {
  return (document) =>
    Object.fromEntries(Object.entries(document).filter(([, value]) => keep(value)));
}

const shared = Buffer.alloc(10_000);

describe('a format that fails', () => {
  test.each([
    ['dates', readAs(({ at, ...rest }) => ({ ...(at && { at: at.getTime() }), ...rest }))],
    ['object-ids', readAs(({ id, ...rest }) => ({ ...(id && { id: String(id) }), ...rest }))],
    ['missing-fields', readAs(keepFields((value) => value !== null))],
    ['empty-arrays', readAs(keepFields((value) => !Array.isArray(value) || value.length > 0))],
    ['key-order', readAs((document) => Object.fromEntries(Object.entries(document).reverse()))],
    ['proto-key', readAs((document) => Object.assign({}, document))],
    ['plain-objects', readAs((document) => Object.assign(new (class Row {})(), document))],
    [
      'kept-documents',
      {
        encode: (/** @type {Value} */ document) => serialize(Object.assign(document, { count: 0 })),
      },
    ],
    [
      'kept-messages',
      {
        encode(/** @type {Value} */ document) {
          const bytes = serialize(document);
          shared.set(bytes);
          return shared.subarray(0, bytes.length);
        },
      },
    ],
    [
      'kept-values',
      {
        decode: (/** @type {Buffer} */ message) => ({
          id: Object.create({ _bsontype: 'ObjectId', toHexString: () => message.toString('hex') }),
        }),
      },
    ],
    ['truncated-input', { decode: (/** @type {Buffer} */ message) => readOr(message, {}) }],
    [
      'trailing-bytes',
      {
        decode: (/** @type {Buffer} */ message) =>
          deserialize(message.subarray(0, message.readInt32LE())),
      },
    ],
    ['changed-bytes', { decode: (/** @type {Buffer} */ message) => throwText(message) }],
  ])('the row %s', async (row, changes) => {
    expect(await listFailing(changes)).toContain(row);
  });

  test('a declared difference that does not occur', async () => {
    expect(await listFailing({})).toEqual([]);
    expect(await listFailing({}, { dates: 'none' })).toEqual(['dates']);
  });
});

/** @type {(message: Buffer, other: Value) => Value} */
function readOr(message, other) {
  try {
    return deserialize(message);
  } catch {
    return other;
  }
}

/** @type {(message: Buffer) => Value} */
function throwText(message) {
  try {
    return deserialize(message);
  } catch (error) {
    throw String(error);
  }
}
