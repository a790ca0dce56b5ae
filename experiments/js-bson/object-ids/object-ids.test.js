import assert from 'node:assert';
import { inspect } from 'node:util';
import * as bson from 'bson';
import { isLong, testMore } from '../../../harness/testing/support/gates.js';
import { Chance } from '../fuzz/documents.js';
import { outcomeOf } from '../codec/test-support/variants.js';
import { INPUTS, randomHexText } from './test-support/inputs.js';
import { BaseObjectId } from './support/base-object-id.js';
import { loadSubjects } from './test-support/load-subjects.js';

const HEX = '65a1b2c3d4e5f60718293a4b';
/** @type {{ relaxed?: boolean, legacy?: boolean }[]} */
const OPTION_SETS = [{ relaxed: true }, { relaxed: false }, { legacy: true }];
const TIMES = [0, 1, 1.9, -1, 2 ** 31, 2 ** 32 + 5, 1e12, NaN, Infinity];

/** Texts that are tried, and documents that are read. */
const [TEXTS, DOCUMENTS] = isLong ? [500, 200] : [80, 30];

const subjects = await loadSubjects();

/**
 * The properties of an id, or the class of the error, that must be the same for all classes.
 * @param {() => any} make
 */
function observe(make) {
  const outcome = outcomeOf(make);
  if ('error' in outcome) return { error: outcome.error.name };
  const id = outcome.value;
  const bytes = Buffer.alloc(14, 0xee);
  return {
    hex: id.toHexString(),
    id: [Buffer.isBuffer(id.id), id.id.toString('hex')],
    texts: ['hex', 'base64', undefined, 'utf8'].map((encoding) => id.toString(encoding)),
    json: [JSON.stringify({ id }), id.toExtendedJSON()],
    shown: [id.inspect(), inspect(id), inspect({ id }, { colors: true })],
    time: id.getTimestamp().getTime(),
    written: [id.serializeInto(bytes, 1), bytes.toString('hex')],
    serialized: Buffer.from(bson.serialize({ id })).toString('hex'),
    extended: bson.EJSON.stringify([id]),
    types: [id._bsontype, id[bson.bsonType], id instanceof bson.BSONValue],
  };
}

describe.each(subjects)('ObjectIds stored as %s', (label, codec) => {
  const { ObjectId } = codec;
  const isPooled = label.startsWith('pooled');

  test.each(INPUTS)('accept or reject %s like bson', (_name, make) => {
    const ours = observe(() => new ObjectId(make(ObjectId)));
    expect(ours).toEqual(observe(() => new bson.ObjectId(make(bson.ObjectId))));
    expect(ObjectId.isValid(make(ObjectId))).toBe(bson.ObjectId.isValid(make(bson.ObjectId)));
    const $oid = make(ObjectId);
    expect(observe(() => ObjectId.fromExtendedJSON({ $oid }))).toEqual(ours);
    for (const name of ['createFromHexString', 'createFromBase64']) {
      expect(observe(() => ObjectId[name](make(ObjectId)))).toEqual(
        observe(() => /** @type {any} */ (bson.ObjectId)[name](make(bson.ObjectId))),
      );
    }
  });

  testMore('accept or reject random texts like bson', () => {
    const chance = new Chance(7);
    let accepted = 0;
    for (let round = 0; round < TEXTS; round++) {
      const text = randomHexText(chance);
      const ours = observe(() => new ObjectId(text));
      expect([text, ours]).toEqual([text, observe(() => new bson.ObjectId(text))]);
      expect([text, ObjectId.isValid(text)]).toEqual([text, !('error' in ours)]);
      if (!('error' in ours)) accepted++;
    }
    expect(accepted).toBeGreaterThan(0.5 * TEXTS);
    expect(accepted).toBeLessThan(0.95 * TEXTS);
  });

  testMore('are read from random bytes at any offset of a document', () => {
    const chance = new Chance(8);
    for (let round = 0; round < DOCUMENTS; round++) {
      const id = new bson.ObjectId(chance.bytes(12));
      const bytes = bson.serialize({ ['k'.repeat(chance.integer(1, 9))]: [id] });
      const [[read]] = Object.values(codec.deserialize(bytes));
      expect(read).toBeInstanceOf(ObjectId);
      expect(observe(() => read)).toEqual(observe(() => id));
      expect(observe(() => new ObjectId(id.id))).toEqual(observe(() => id));
    }
  });

  test('are created from base64 and seconds like bson', () => {
    for (const text of [
      'ZaGyw9Tl9gcYKTpL',
      '____-_-_____-_-_',
      'AAAA AAAA AAAA A',
      'AAAAAAAAAAAAA===',
    ]) {
      expect(observe(() => ObjectId.createFromBase64(text))).toEqual(
        observe(() => bson.ObjectId.createFromBase64(text)),
      );
    }
    for (const time of /** @type {any[]} */ ([...TIMES, '17', null, undefined, 5n, {}])) {
      expect([time, observe(() => ObjectId.createFromTime(time))]).toEqual([
        time,
        observe(() => bson.ObjectId.createFromTime(time)),
      ]);
    }
  });

  test('equal the same values as in bson', () => {
    const id = new ObjectId(HEX);
    const reference = new bson.ObjectId(HEX);
    for (const [name, make] of INPUTS) {
      const ours = outcomeOf(() => id.equals(make(ObjectId)));
      expect([name, ours]).toEqual([name, outcomeOf(() => reference.equals(make(bson.ObjectId)))]);
    }
    for (const other of [null, undefined]) expect(id.equals(other)).toBe(false);
    expect(id.equals(reference)).toBe(true);
    for (let at = 0; at < 24; at++) {
      const hex = `${HEX.slice(0, at)}${HEX[at] === '0' ? '1' : '0'}${HEX.slice(at + 1)}`;
      for (const other of [hex, new ObjectId(hex), new bson.ObjectId(hex)]) {
        expect([hex, id.equals(other)]).toEqual([hex, false]);
      }
    }
  });

  test('contain time, process and counter when generated', () => {
    const before = Math.floor(Date.now() / 1000);
    const ids = [undefined, null, undefined].map((input) => new ObjectId(input));
    ids.push(new ObjectId(), ObjectId.createPk());
    const bytes = [...ids.map(({ id }) => id), ObjectId.generate()];
    const after = Math.floor(Date.now() / 1000);
    bytes.forEach((id, index) => {
      const seconds = id.readUInt32BE(0);
      expect(seconds >= before && seconds <= after).toBe(true);
      expect(id.subarray(4, 9).equals(bytes[0].subarray(4, 9))).toBe(true);
      expect(id.readUIntBE(9, 3)).toBe((bytes[0].readUIntBE(9, 3) + index) % 0x1000000);
    });
    expect(observe(() => ids[0]).hex).toBe(bytes[0].toString('hex'));
    expect(ObjectId.isValid(null) || ObjectId.isValid(undefined)).toBe(false);
    for (const time of TIMES) {
      const expected = bson.ObjectId.generate(time).subarray(0, 4);
      expect(ObjectId.generate(time).subarray(0, 4)).toEqual(expected);
    }
  });

  test('have factories that work without this', () => {
    const { createFromTime, createFromHexString, createFromBase64, fromExtendedJSON } = ObjectId;
    expect([HEX].map(createFromHexString)[0].toHexString()).toBe(HEX);
    expect(createFromTime(1)).toBeInstanceOf(ObjectId);
    expect(createFromBase64('A'.repeat(16))).toBeInstanceOf(ObjectId);
    expect(fromExtendedJSON({ $oid: HEX })).toBeInstanceOf(ObjectId);
    expect([HEX, 'x'].filter(ObjectId.isValid)).toEqual([HEX]);
  });

  test('share no memory with their input', () => {
    const made = Buffer.from(HEX, 'hex');
    const document = bson.serialize({ _id: new bson.ObjectId(HEX) });
    const ids = [new ObjectId(made), new ObjectId({ id: made }), codec.deserialize(document)._id];
    const assigned = new ObjectId();
    assigned.id = made;
    made.fill(0);
    document.fill(0);
    for (const id of [...ids, assigned]) expect(id.toHexString()).toBe(HEX);
  });

  test('share no memory with the bytes they return, unless they store a Buffer', () => {
    const keepsBuffer = label.startsWith('buffer') || label === 'string, cache=buffer';
    const [id, neighbour] = [new ObjectId(HEX), new ObjectId(HEX)];
    id.id.fill(0xff);
    const written = Buffer.alloc(12);
    id.serializeInto(written, 0);
    expect(written.toString('hex')).toBe(keepsBuffer ? 'f'.repeat(24) : HEX);
    expect(neighbour.equals(HEX)).toBe(true);
  });

  test('accept only 12 bytes as a new value of id', () => {
    const id = new ObjectId(HEX);
    id.toHexString();
    id.id = Buffer.from('f'.repeat(24), 'hex');
    expect(observe(() => id)).toEqual(observe(() => new bson.ObjectId('f'.repeat(24))));
    for (const wrong of [HEX, null, Buffer.alloc(11), 5]) {
      expect(() => (id.id = wrong)).toThrow(bson.BSONError);
    }
    expect(id.toHexString()).toBe('f'.repeat(24));
  });

  test('are deeply equal if they are equal, unless they are pooled', () => {
    const one = { ids: [new ObjectId(HEX)] };
    const same = { ids: [codec.deserialize(bson.serialize({ i: new bson.ObjectId(HEX) })).i] };
    one.ids[0].toHexString();
    const outcome = outcomeOf(() => assert.deepStrictEqual(one, same));
    expect('error' in outcome).toBe(isPooled);
    const other = { ids: [new ObjectId(`${HEX.slice(1)}0`)] };
    expect(() => assert.deepStrictEqual(one, other)).toThrow();
  });

  test('work as a copy of prototype and own fields, as lodash creates it', () => {
    const id = new ObjectId(HEX);
    const copy = Object.assign(Object.create(ObjectId.prototype), id);
    expect(observe(() => copy)).toEqual(observe(() => id));
    expect(copy.equals(id)).toBe(true);
  });

  test('can be subclassed', () => {
    const Own = /** @type {any} */ (class extends ObjectId {});
    const id = new Own(HEX);
    expect(observe(() => id)).toEqual(observe(() => new bson.ObjectId(HEX)));
    expect(id).toBeInstanceOf(Own);
    expect([id.equals(new ObjectId(HEX)), new ObjectId(HEX).equals(id)]).toEqual([true, true]);
  });

  test('are written and read at every place of documents and Extended JSON', () => {
    const make = (/** @type {any} */ Class) => ({
      _id: new Class(HEX),
      list: [new Class('0'.repeat(24)), { deep: [[new Class(HEX)]] }],
      reference: new bson.DBRef('c', new Class(HEX), 'd', { extra: new Class(HEX) }),
      code: new bson.Code('f', { inner: new Class(HEX) }),
      map: new Map([['key', new Class(HEX)]]),
      ['__proto__']: { own: new Class(HEX) },
    });
    const [ours, theirs] = [make(ObjectId), make(bson.ObjectId)];
    const bytes = codec.serialize(ours);
    expect(bytes.equals(bson.serialize(theirs))).toBe(true);
    for (const options of OPTION_SETS) {
      const text = codec.EJSON.stringify(ours, options);
      expect(text).toBe(bson.EJSON.stringify(theirs, options));
      expect(codec.EJSON.serialize(ours, options)).toEqual(bson.EJSON.serialize(theirs, options));
      for (const read of [
        codec.EJSON.parse(text, options),
        codec.EJSON.deserialize(JSON.parse(text), options),
      ]) {
        expect(listIds(read).every((id) => id instanceof ObjectId)).toBe(true);
        expect(listIds(read)).toHaveLength(options.legacy ? 7 : 8);
        expect(codec.EJSON.stringify(read, options)).toBe(text);
      }
    }
    expect(listIds(codec.deserialize(bytes)).every((id) => id instanceof ObjectId)).toBe(true);
    expect(codec.EJSON.parse(`{"$oid":"${HEX}"}`)).toBeInstanceOf(ObjectId);
  });
});

test('the counter wraps to zero', () => {
  const [, { ObjectId }] = subjects[0];
  BaseObjectId.count = 0xffffff;
  expect(new ObjectId().id.readUIntBE(9, 3)).toBe(0);
  expect(ObjectId.getInc()).toBe(1);
});

/** @type {(value: any) => any[]} ObjectIds of any class inside it */
function listIds(value) {
  if (typeof value !== 'object' || value === null) return [];
  if (value._bsontype === 'ObjectId') return [value];
  return Object.values(value).flatMap(listIds);
}
