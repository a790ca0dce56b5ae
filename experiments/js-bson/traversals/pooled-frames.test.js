import * as bson from 'bson';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import vm from 'node:vm';
import { MOST_KEPT_LEVELS } from './pooled-levels.js';
import * as readPool from './read-frame-pool.js';
import * as writePool from './write-frame-pool.js';
import { deserialize, serialize, traversal } from '../variants/pooled-frames.js';

const RULES = { checkKeys: false, ignoreUndefined: true, serializeFunctions: false };

const NESTED = {
  a: { b: [{ c: new Map([['d', { e: 1 }]]) }, 'text'] },
  code: new bson.Code('f', { g: { h: 1 } }),
  reference: new bson.DBRef('c', new bson.ObjectId('0123456789abcdef01234567')),
};
const EXPECTED = Buffer.from(bson.serialize(NESTED));

setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc');

/**
 * @param {any} document
 * @returns {Buffer} in a separate buffer, because the scratch buffer belongs to the outermost call
 */
function write(document) {
  const bytes = Buffer.alloc(4096);
  return bytes.subarray(0, traversal.writeDocument(bytes, document, RULES));
}

/** @type {(levels: number) => any} */
function nest(levels) {
  let document = { leaf: 1 };
  for (let level = 0; level < levels; level++) document = /** @type {any} */ ({ a: document });
  return document;
}

/** @type {(use: () => WeakRef<object>[]) => Promise<number>} how many of the objects are still alive */
async function countAlive(use) {
  const references = use();
  // A WeakRef keeps its target until the turn of the event loop is over.
  await sleep(0);
  collectGarbage();
  return references.filter((reference) => reference.deref() !== undefined).length;
}

/** Classes store the bytes of an id in different ways. @param {unknown} value */
const show = (value) => bson.EJSON.stringify(value, { relaxed: false });

describe('frames', () => {
  test.each([
    ['read', (/** @type {any} */ prev) => readPool.takeFrame(prev), readPool.releaseFrame],
    [
      'write',
      (/** @type {any} */ prev) => writePool.takeFrame(RULES, prev),
      writePool.releaseFrame,
    ],
  ])('to %s with are reused as a chain after their release', (_kind, takeFrame, release) => {
    const releaseFrame = /** @type {(frame: any) => unknown} */ (release);
    const outermost = takeFrame(null);
    const inner = takeFrame(outermost);
    expect(takeFrame(outermost)).toBe(inner);
    expect(takeFrame(null)).not.toBe(outermost);
    releaseFrame(inner);
    releaseFrame(outermost);
    expect(takeFrame(null)).toBe(outermost);
    expect(takeFrame(outermost)).toBe(inner);
  });

  test('deeper than the limit are not kept', () => {
    let frame = readPool.takeFrame(null);
    const outermost = frame;
    for (let level = 0; level < 3 * MOST_KEPT_LEVELS; level++) frame = readPool.takeFrame(frame);
    let kept = 0;
    for (let at = /** @type {any} */ (outermost); at !== null; at = at.inner) kept++;
    expect(kept).toBe(MOST_KEPT_LEVELS);
  });
});

describe('a nested call', () => {
  test('from toBSON, a getter or a Map does not change the frames of the outer call', () => {
    const inner = (/** @type {any} */ value) => {
      expect(write(NESTED)).toEqual(EXPECTED);
      expect(() => write({ a: { toBSON: fail } })).toThrow('on purpose');
      return value;
    };
    class Loud extends Map {
      /** @returns {any} */
      entries() {
        return inner(super.entries());
      }
    }
    const document = {
      list: [{ toBSON: () => inner({ x: [1] }) }, { y: { z: 2 } }],
      get late() {
        return inner({ deep: { deeper: 3 } });
      },
      map: new Loud([['k', { v: 4 }]]),
      end: { w: 5 },
    };
    const plain = {
      list: [{ x: [1] }, { y: { z: 2 } }],
      late: { deep: { deeper: 3 } },
      map: { k: { v: 4 } },
      end: { w: 5 },
    };
    for (let round = 0; round < 3; round++) {
      expect(write(document)).toEqual(Buffer.from(bson.serialize(plain)));
    }
  });

  test('from fieldsAsRaw does not change the frames of the outer call', () => {
    const list = Buffer.from(bson.serialize({ o: { list: [{ a: 1 }, [2]], other: { b: [3] } } }));
    const options = {
      fieldsAsRaw: {
        get list() {
          expect(show(deserialize(EXPECTED))).toBe(show(bson.deserialize(EXPECTED)));
          return false;
        },
      },
    };
    for (let round = 0; round < 3; round++) {
      expect(deserialize(list, options)).toEqual({
        o: { list: [{ a: 1 }, [2]], other: { b: [3] } },
      });
    }
  });
});

describe('a failed call', () => {
  test('does not affect the next', () => {
    const broken = Buffer.from(EXPECTED);
    broken[broken.indexOf('text') - 1] = 0xff;
    for (let round = 0; round < 50; round++) {
      expect(() => serialize({ a: { b: [{ toBSON: fail }] } })).toThrow('on purpose');
      expect(serialize(NESTED)).toEqual(EXPECTED);
      expect(() => deserialize(broken)).toThrow();
      expect(show(deserialize(EXPECTED))).toBe(show(bson.deserialize(EXPECTED)));
    }
  });
});

test('a reused frame has no traces of the previous document', () => {
  const { reference } = NESTED;
  const code = new bson.Code('f', { s: 1 });
  for (const document of [
    { list: [{ a: 1 }], reference, other: [{ b: 3 }] },
    { almost: { $other: 1 }, reference, plain: { p: 1 } },
    { code, plain: { $id: 1 }, map: new Map([['k', 1]]), last: { l: 1 } },
  ]) {
    const bytes = bson.serialize(document);
    expect(serialize(document)).toEqual(Buffer.from(bytes));
    expect(show(deserialize(bytes))).toBe(show(bson.deserialize(bytes)));
    const options = { fieldsAsRaw: { list: true } };
    expect(show(deserialize(bytes, options))).toBe(show(bson.deserialize(bytes, options)));
  }
  expect(() => serialize({ reference, plain: { $p: 1 } }, { checkKeys: true })).toThrow('$p');
});

describe('no frame keeps alive', () => {
  test('a document that was written', async () => {
    const alive = await countAlive(() => {
      const map = new Map([['m', {}]]);
      const entries = map.entries();
      const parts = [{ list: [{}] }, [{ a: 1 }], Object.assign(map, { entries: () => entries })];
      serialize(
        Object.assign(nest(2 * MOST_KEPT_LEVELS), { parts, scope: new bson.Code('f', {}) }),
      );
      return [...parts, entries].map((part) => new WeakRef(part));
    });
    expect(alive).toBe(0);
  });

  test('a document that was read', async () => {
    const bytes = serialize({ o: { p: [{ q: 1 }] }, code: new bson.Code('f', { s: 1 }) });
    const alive = await countAlive(() => {
      const document = deserialize(bytes);
      const { o, code } = document;
      return [document, o, o.p, o.p[0], code, code.scope].map((part) => new WeakRef(part));
    });
    expect(alive).toBe(0);
  });

  test('a document that could not be written', async () => {
    const alive = await countAlive(() => {
      const document = { a: { b: [{ toBSON: fail }] } };
      expect(() => serialize(document)).toThrow('on purpose');
      return [document, document.a, document.a.b].map((part) => new WeakRef(part));
    });
    expect(alive).toBe(0);
  });
});

/** @returns {never} */
function fail() {
  throw new Error('on purpose');
}
