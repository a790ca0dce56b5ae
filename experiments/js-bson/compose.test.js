import * as bson from 'bson';
import { UsageError } from '../../harness/lib/errors.js';
import { composeVariant } from './compose.js';
import * as linkedList from './variants/linked-list.js';
import * as pooled from './variants/pooled-objectid.js';
import * as stringBacked from './variants/string-backed.js';

const HEX = '65a1b2c3d4e5f60718293a4b';

const bytes = bson.serialize({ _id: new bson.ObjectId(HEX), n: 1 });

describe('a composed variant', () => {
  test('uses the given ObjectIds and is otherwise the variant', async () => {
    const composed = await composeVariant(linkedList, { 'object-id': 'packed' });
    const { _id } = composed.deserialize(bytes);
    expect(_id).toBeInstanceOf(composed.ObjectId);
    expect(Object.values(_id)).toEqual([0x65a1b2, 0xc3d4e5, 0xf60718, 0x293a4b]);
    expect(Buffer.from(composed.serialize({ _id, n: 1 })).equals(bytes)).toBe(true);
    expect(composed.EJSON.parse(`{"$oid":"${HEX}"}`)).toEqual(_id);
    expect(composed['variant']).toEqual({ ...linkedList.variant, breaks: {} });
    expect(composed.Long).toBe(bson.Long);
  });

  test('replaces the ObjectIds of the variant', async () => {
    const composed = await composeVariant(stringBacked, { 'object-id': 'buffer' });
    expect(composed.deserialize(bytes)._id.buffer).toEqual(Buffer.from(HEX, 'hex'));
    expect(composed.objectIdName).toBe('buffer');
  });

  test('keeps the ObjectIds of the variant if only a setting is given', async () => {
    const composed = await composeVariant(stringBacked, { cache: 'buffer' });
    expect(Object.keys(composed.deserialize(bytes)._id)).toEqual(['hex', 'buffer']);
    const small = await composeVariant(pooled, { 'pool-size': '3' });
    expect(small.deserialize(bytes)._id.pool).toHaveLength(36);
  });

  test('declares the contract rows that its ObjectIds break', async () => {
    const rows = ['deep-equality', 'lodash-is-equal'];
    expect(Object.keys(pooled.variant.breaks ?? {})).toEqual(rows);
    const gained = await composeVariant(linkedList, { 'object-id': 'pooled' });
    expect(gained['variant'].breaks).toEqual(pooled.variant.breaks);
    const lost = await composeVariant(pooled, { 'object-id': 'packed' });
    expect(lost['variant'].breaks).toEqual({});
  });

  test.each(['extra-work', 'garbage'])('with %s is otherwise the variant', async (axis) => {
    const composed = await composeVariant(linkedList, { [axis]: '20', 'object-id': 'packed' });
    expect(composed.objectIdName).toBe('packed');
    const document = composed.deserialize(bytes);
    expect(document).toMatchObject({ n: 1 });
    expect(Buffer.from(composed.serialize(document)).equals(bytes)).toBe(true);
    expect(composed.serialize).not.toBe(linkedList.serialize);
  });

  test('shares no setting with others', async () => {
    const settings = { 'object-id': 'pooled', 'pool-size': '2', cache: 'hex-string' };
    const composed = await composeVariant(linkedList, settings);
    expect({ ...composed['ObjectId'] }).toMatchObject({ poolSize: 2, cacheHexString: true });
    const plain = await composeVariant(linkedList, { 'object-id': 'pooled' });
    expect({ ...plain['ObjectId'] }).toMatchObject({ poolSize: 1000, cacheHexString: false });
    expect(plain.ObjectId).toBe(pooled.ObjectId);
  });
});

describe('composeVariant rejects with a remedy', () => {
  test.each([
    ['an unknown class', { 'object-id': 'packd' }, "no object-id 'packd'; did you mean 'packed'?"],
    ['a file that is not a class', { 'object-id': 'support/hex' }, "no object-id 'support/hex'"],
    ['a pool size without pools', { 'pool-size': '5' }, 'object-id=buffer has no pools'],
    [
      'a pool size of another class',
      { 'object-id': 'string', 'pool-size': '5' },
      'object-id=string has no pools',
    ],
    ['an empty pool', { 'object-id': 'pooled', 'pool-size': '0' }, 'pool-size=0 is not a number'],
    [
      'a fraction of an id',
      { 'object-id': 'pooled', 'pool-size': '1.5' },
      'pool-size=1.5 is not a number',
    ],
    [
      'a pool beyond the limit',
      { 'object-id': 'pooled', 'pool-size': '1e9' },
      'pool-size=1e9 is not a number',
    ],
    [
      'a cached buffer of ids that are buffers',
      { cache: 'buffer' },
      "object-id=buffer cannot cache 'buffer'",
    ],
    [
      'cached text of ids that are text',
      { 'object-id': 'string', cache: 'hex-string' },
      "object-id=string cannot cache 'hex-string'",
    ],
    ['an unknown cache', { cache: 'disk' }, "object-id=buffer cannot cache 'disk'"],
  ])('%s', async (_name, settings, message) => {
    const refusal = composeVariant(linkedList, settings);
    await expect(refusal).rejects.toThrow(UsageError);
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.toMatchObject({ remedy: expect.stringMatching(/\w/) });
  });

  test('a module without a traversal', async () => {
    await expect(composeVariant(bson, { 'object-id': 'packed' })).rejects.toThrow(/no traversal/);
  });
});
