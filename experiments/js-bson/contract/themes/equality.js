import { isDeepStrictEqual } from 'node:util';
import { Breach, demand } from '../breach.js';

/** @import { Codec, Theme } from '../breach.js' */

const HEX = '65a1b2c3d4e5f60718293a4b';
const OTHER_HEX = '65a1b2c3d4e5f60718293a4c';

/** How libraries compare and copy ids and documents with ids. Pooled ObjectIds (js-bson #707) were not
 * merged because of these rows. @type {Theme} */
export const equality = {
  title: 'Equality and copies',
  rows: [
    {
      name: 'deep-equality',
      isOfNode: true,
      promise: 'assert.deepStrictEqual considers equal ids equal, and others not',
      check: (codec) => checkEquality(codec, isDeepStrictEqual),
    },
    {
      name: 'lodash-is-equal',
      promise: 'lodash isEqual considers equal ids equal, and others not',
      async check(codec) {
        const { isEqual } = await loadLodash();
        checkEquality(codec, isEqual);
      },
    },
    {
      name: 'lodash-clone-deep',
      isOfNode: true,
      promise: 'copies of ids and documents by lodash cloneDeep work like the original',
      async check(codec) {
        const { cloneDeep } = await loadLodash();
        checkClones(codec, cloneDeep);
      },
    },
    {
      name: 'structured-clone',
      isOfNode: true,
      promise: 'structuredClone copies decoded documents with all bytes of their ids',
      check: checkStructuredClones,
    },
  ],
};

/** Loaded on demand, to keep other processes fast. */
async function loadLodash() {
  return (await import('lodash')).default;
}

/**
 * Equal ids, created in different ways.
 * @type {(codec: Codec, hex: string) => Record<string, any>}
 */
function makeIds({ ObjectId, serialize, deserialize }, hex) {
  const read = new ObjectId(hex);
  read.toHexString();
  read.getTimestamp();
  return {
    'from hex': new ObjectId(hex),
    'from bytes': new ObjectId(Buffer.from(hex, 'hex')),
    'from another id': new ObjectId(new ObjectId(hex)),
    'read from BSON': deserialize(serialize({ id: new ObjectId(hex) })).id,
    'whose text was read': read,
  };
}

/**
 * @param {Codec} codec
 * @param {IsEqual} isEqual
 * @typedef {(a: unknown, b: unknown) => boolean} IsEqual
 */
function checkEquality(codec, isEqual) {
  const first = new codec.ObjectId(HEX);
  for (const [origin, id] of Object.entries(makeIds(codec, HEX))) {
    demand(isEqual(first, id), `an id from hex and an equal one ${origin} are different`);
  }
  for (const [origin, id] of Object.entries(makeIds(codec, OTHER_HEX))) {
    demand(!isEqual(first, id), `an id from hex and another one ${origin} are equal`);
  }
  const bytes = codec.serialize({ _id: first, list: [new codec.ObjectId(OTHER_HEX)], text: 'é' });
  const [one, two] = [codec.deserialize(bytes), codec.deserialize(bytes)];
  demand(isEqual(one, two), 'two documents decoded from the same bytes are different');
}

/** @param {Codec} codec @param {(value: any) => any} cloneDeep */
function checkClones(codec, cloneDeep) {
  for (const [origin, id] of Object.entries(makeIds(codec, HEX))) {
    demand(
      tryTo(() => cloneDeep(id).toHexString()) === HEX,
      `the clone of an id ${origin} has other bytes`,
    );
    demand(
      tryTo(() => cloneDeep(id).equals(id)),
      `an id ${origin} does not equal its clone`,
    );
    demand(cloneDeep(id) !== id, `the clone of an id ${origin} is the id itself`);
  }
  const bytes = Buffer.from(codec.serialize({ _id: new codec.ObjectId(HEX), in: [{ a: 'é' }] }));
  const again = tryTo(() => codec.serialize(cloneDeep(codec.deserialize(bytes))));
  demand(again && bytes.equals(again), 'the clone of a document has other bytes');
}

/** @param {Codec} codec */
function checkStructuredClones({ ObjectId, serialize, deserialize }) {
  const plain = { text: 'é', list: [1, 2.5, null, true], in: { date: new Date(5), reg: /a/i } };
  const [clone, other] = [HEX, OTHER_HEX].map((hex) =>
    cloneStructured(deserialize(serialize({ ...plain, id: new ObjectId(hex) }))),
  );
  demand(!isDeepStrictEqual(clone.id, other.id), 'the clones of two different ids are equal');
  delete clone.id;
  // It is compared with another clone because in a vm context both are of the outer realm.
  demand(
    isDeepStrictEqual(clone, structuredClone(plain)),
    'the clone of a document has other values',
  );
}

/** @type {(value: unknown) => any} @throws {Breach} */
function cloneStructured(value) {
  try {
    return structuredClone(value);
  } catch (error) {
    throw new Breach(`structuredClone rejects a decoded document: ${String(error)}`);
  }
}

/** @type {(call: () => any) => any} undefined if it throws, as for a clone without its private fields */
function tryTo(call) {
  try {
    return call();
  } catch {
    return undefined;
  }
}
