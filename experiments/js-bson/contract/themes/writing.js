import { demand, demandRefusal, demandSame } from '../breach.js';

/** @import { Codec, Theme } from '../breach.js' */

/** How `serialize` treats values without a counterpart in BSON. @type {Theme} */
export const writing = {
  title: 'Writing',
  rows: [
    {
      name: 'map-non-string-keys',
      // In a browser, bson writes such a key as text.
      isOfNode: true,
      promise:
        'a Map is written like an object; a key that is not a string is rejected, as in bson',
      check: checkMapKeys,
    },
    {
      name: 'cycles',
      promise: 'a document that contains itself is rejected with a BSONError, a shared one is not',
      check: checkCycles,
    },
    {
      name: 'to-bson',
      promise: 'toBSON is called once for each appearance, in order, and its result is written',
      check: checkToBson,
    },
    {
      name: 'check-keys',
      promise: 'checkKeys rejects the same keys as bson, at all levels',
      check: checkKeys,
    },
    {
      name: 'undefined-and-functions',
      promise: 'undefined, functions and symbols are omitted or kept according to the options',
      check(codec, reference) {
        const document = {
          a: undefined,
          b: [undefined, namedFunction],
          f: namedFunction,
          s: Symbol(),
        };
        for (const options of [{}, { ignoreUndefined: false }, { serializeFunctions: true }]) {
          demandSame(JSON.stringify(options), codec, reference, (bson) =>
            bson.serialize(document, options),
          );
        }
      },
    },
  ],
};

function namedFunction() {
  return 1;
}

/**
 * Keys to reject. None on Node 22, whose `Buffer.prototype.utf8Write` takes any value for a string once its caller
 * has been optimized: bson and the variants that call it with such a key end by SIGSEGV there.
 */
const OTHER_KEYS =
  globalThis.process?.versions.node.startsWith('22.') === true
    ? []
    : [5, null, undefined, true, Symbol('key'), new Date(0), {}];

/** @param {Codec} codec @param {Codec} reference */
function checkMapKeys(codec, reference) {
  const good = new Map([['a', new Map([['b', [new Map()]]])]]);
  demandSame('a Map', codec, reference, (bson) => bson.serialize(good));
  for (const key of OTHER_KEYS) {
    for (const options of [{}, { checkKeys: true }]) {
      const label = `key of type ${typeof key} under ${JSON.stringify(options)}`;
      for (const document of [
        new Map([[key, 1]]),
        {
          in: new Map(
            [
              ['a', 1],
              [key, 1],
            ].map(toPair),
          ),
        },
      ]) {
        demandSame(label, codec, reference, (bson) => bson.serialize(document, options));
      }
    }
  }
}

/** @type {(entry: unknown[]) => [unknown, unknown]} */
function toPair([key, value]) {
  return [key, value];
}

/** @param {Codec} codec */
function checkCycles(codec) {
  /** @type {Record<string, any>} */
  const self = { a: 1 };
  /** @type {Record<string, any>} */
  const holders = {
    'an object': self,
    'an array': [[self]],
    'a Map': new Map([['m', self]]),
    'the result of toBSON': { toBSON: () => self },
    'a scope': new codec.Code('f', self),
    'a DBRef': new codec.DBRef('c', new codec.ObjectId('a'.repeat(24)), 'd', { self }),
  };
  for (const [name, holder] of Object.entries(holders)) {
    self['held'] = holder;
    demandRefusal(`a document that holds itself in ${name}`, () => codec.serialize(self));
  }
  const shared = { s: 1 };
  const twice = { one: shared, two: [shared, shared], three: { deeper: shared } };
  const apart = JSON.parse(JSON.stringify(twice));
  demand(
    Buffer.compare(codec.serialize(twice), codec.serialize(apart)) === 0,
    'an object that appears several times is not written like equal ones',
  );
}

/** @param {Codec} codec @param {Codec} reference */
function checkToBson(codec, reference) {
  demandSame('order of calls', codec, reference, logCalls);
  for (const result of [
    { a: 1 },
    new Map([['a', 1]]),
    5,
    'text',
    null,
    undefined,
    [1],
    new Date(0),
  ]) {
    const replaced = { toBSON: () => result };
    const label = `toBSON that returns ${result === null ? 'null' : typeof result}`;
    demandSame(`${label}, whole document`, codec, reference, (bson) => bson.serialize(replaced));
    demandSame(`${label}, field`, codec, reference, (bson) =>
      bson.serialize({ field: replaced, list: [replaced] }),
    );
  }
  demandSame('toBSON that throws', codec, reference, (bson) =>
    bson.serialize({ a: { toBSON: throwRangeError } }),
  );
  demandSame('toBSON that is a value', codec, reference, (bson) =>
    bson.serialize({ a: { toBSON: 5, b: 1 } }),
  );
}

/** @returns {never} */
function throwRangeError() {
  throw new RangeError('of the caller');
}

/** @type {(bson: Codec) => string[]} names of the objects in call order */
function logCalls(bson) {
  /** @type {string[]} */
  const calls = [];
  /** @type {(name: string, fields: object) => object} */
  const make = function makeLogged(name, fields) {
    return {
      ...fields,
      toBSON() {
        calls.push(name);
        return this;
      },
    };
  };
  const inner = make('inner', { x: 1 });
  const map = new Map([['m', make('in map', {})]]);
  bson.serialize(make('root', { a: make('a', { inner }), list: [inner, map], last: 1 }));
  return calls;
}

/** @param {Codec} codec @param {Codec} reference */
function checkKeys(codec, reference) {
  for (const key of [
    '$a',
    'a.b',
    '',
    '.',
    '$',
    'a$',
    'a\0',
    '$db',
    '$ref',
    '$id',
    '$clusterTime',
  ]) {
    for (const document of [{ [key]: 1 }, { in: [{ [key]: 1 }] }, new Map([[key, 1]])]) {
      for (const options of [{ checkKeys: true }, { checkKeys: false }]) {
        demandSame(`key '${key}' under ${JSON.stringify(options)}`, codec, reference, (bson) =>
          bson.serialize(document, options),
        );
      }
    }
  }
}
