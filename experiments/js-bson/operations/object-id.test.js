import { readdirSync } from 'node:fs';
import * as bson from 'bson';
import { composeVariant } from '../compose.js';
import * as linkedList from '../variants/linked-list.js';
import { openRandom } from '../../../harness/worker/random.js';
import { runSpotChecks } from '../../../harness/worker/finish-measured.js';
import { storeTestCorpus } from './test-support/test-corpus.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

const COUNT = 30;
const CLASSES = ['buffer', 'latin1', 'packed', 'pooled', 'string'];

const documents = Array.from({ length: COUNT }, (_, index) => ({
  _id: new bson.ObjectId(Buffer.from(`${index}`.padStart(12, '\x8fÀxyz'), 'latin1')),
}));
const corpus = storeTestCorpus(documents);

const files = readdirSync(import.meta.dirname).filter((file) =>
  /^object-id-[a-z-]+\.js$/.test(file),
);

/** @type {[string, Operation<any>][]} */
const operations = [];
for (const file of files.sort()) operations.push([file, (await import(`./${file}`)).operation]);

/**
 * @param {Operation<any>} operation
 * @param {object} module
 * @returns {Promise<string[]>} frames of the output, after the loop has run, and what spot checks find
 */
async function produceOutput(operation, module) {
  const state = await operation.prepare(module, corpus);
  operation.run(state, 3);
  const faults = await runSpotChecks(operation, state, 100, openRandom([1, 2, 3, 4]), () => 2_000);
  const output = await operation.output(state);
  return [...output.map((frame) => Buffer.from(frame).toString()), ...faults];
}

/** bson with another class of ObjectIds. @param {(Class: any) => any} change */
function makeBroken(change) {
  const ObjectId = change(class ObjectId extends bson.ObjectId {});
  const EJSON = {
    parse: (/** @type {string} */ text) => ({ _id: new ObjectId(JSON.parse(text)._id.$oid) }),
  };
  return { ...bson, ObjectId, EJSON };
}

/**
 * Classes with one fault, and the operations whose output must differ.
 * @type {[name: string, caughtBy: string[], change: (Class: any) => any][]}
 */
const FAULTS = [
  [
    'a text that is remembered after the second call',
    ['to-hex-string', 'to-extended-json'],
    (Class) =>
      class extends Class {
        /** @type {string[]} */
        #texts = [];
        toHexString() {
          if (this.#texts.length < 2) this.#texts.push(super.toHexString());
          return this.#texts.at(-1);
        }
      },
  ],
  [
    'a counter that stands still',
    ['new', 'new-serialize'],
    (Class) => {
      const fixed = Class.generate();
      return class extends Class {
        /** @param {any} input */
        constructor(input) {
          super(input ?? fixed);
        }
      };
    },
  ],
  [
    'process bytes that change',
    ['new', 'new-serialize'],
    (Class) =>
      class extends Class {
        /** @param {any} input */
        constructor(input) {
          super(input);
          if (input != null) return;
          const self = /** @type {{ id: Uint8Array }} */ (/** @type {unknown} */ (this));
          const bytes = self.id;
          bytes[6] = bytes[11];
          self.id = bytes;
        }
      },
  ],
  [
    'the time of an hour ago',
    ['new', 'new-serialize'],
    (Class) =>
      class extends Class {
        /** @param {any} input */
        constructor(input) {
          super(input ?? Class.generate(Date.now() / 1000 - 3600));
        }
      },
  ],
  [
    'the same hex text for all ids',
    ['to-hex-string', 'to-extended-json', 'from-hex', 'from-extended-json'],
    (Class) => withMethod(Class, 'toHexString', () => '0123456789abcdef01234567'),
  ],
  [
    'no bytes written',
    ['serialize-into', 'new-serialize'],
    (Class) => withMethod(Class, 'serializeInto', () => 12),
  ],
  [
    'one byte too few written',
    ['serialize-into', 'new-serialize'],
    (Class) =>
      withMethod(Class, 'serializeInto', function (bytes, index) {
        bytes.set(this.id.subarray(0, 11), index);
        return 11;
      }),
  ],
  [
    'all ids equal',
    ['equals', 'equals-string'],
    (Class) => withMethod(Class, 'equals', () => true),
  ],
  [
    'no ids equal',
    ['equals', 'equals-string'],
    (Class) => withMethod(Class, 'equals', () => false),
  ],
  [
    'the last byte ignored',
    ['equals', 'equals-string'],
    (Class) =>
      withMethod(Class, 'equals', function (other) {
        const hex = typeof other === 'string' ? other.toLowerCase() : other.toHexString();
        return hex.slice(0, 22) === this.toHexString().slice(0, 22);
      }),
  ],
  [
    'all texts valid',
    ['is-valid', 'is-valid-mixed'],
    (Class) => Object.assign(Class, { isValid: () => true }),
  ],
  [
    'no texts valid',
    ['is-valid', 'is-valid-mixed'],
    (Class) => Object.assign(Class, { isValid: () => false }),
  ],
  [
    'digits not checked',
    ['is-valid', 'is-valid-mixed'],
    (Class) =>
      Object.assign(Class, { isValid: (/** @type {string} */ text) => text.length === 24 }),
  ],
  [
    'dates of 1970',
    ['get-timestamp'],
    (Class) => withMethod(Class, 'getTimestamp', () => new Date(0)),
  ],
  [
    'the seconds ignored',
    ['create-from-time'],
    (Class) => Object.assign(Class, { createFromTime: () => new Class('0'.repeat(24)) }),
  ],
  [
    'the same id for all Extended JSON',
    ['from-extended-json'],
    (Class) => Object.assign(Class, { fromExtendedJSON: () => new Class('0'.repeat(24)) }),
  ],
];

/** @param {any} Class @param {string} name @param {(this: any, ...args: any[]) => any} method */
function withMethod(Class, name, method) {
  Class.prototype[name] = method;
  return Class;
}

describe.each(operations)('%s', (file, operation) => {
  test.each(CLASSES)(
    'gives the same output with %s as with bson, one frame per document',
    async (name) => {
      const variant = await composeVariant(linkedList, { 'object-id': name });
      const output = await produceOutput(operation, variant);
      expect(output).toEqual(await produceOutput(operation, bson));
      expect(output).toHaveLength(COUNT);
    },
  );

  test('calls once per document and keeps the result', async () => {
    const state = await operation.prepare(bson, corpus);
    const counts = () => (state.equalCount ?? state.validCount ?? state.written / 12) || 0;
    operation.run(state, 2);
    const perPass = file === 'object-id-is-valid-mixed.js' ? COUNT / 2 : COUNT;
    if ('last' in state) expect(state.last).toBeTruthy();
    else expect(counts()).toBe(2 * perPass);
  });

  const own = file.slice('object-id-'.length, -'.js'.length);
  const faults = FAULTS.filter(([, caughtBy]) => caughtBy.includes(own));

  test.each(faults)('detects %s', async (_name, _caughtBy, change) => {
    const broken = makeBroken(change);
    const expected = await produceOutput(
      operation,
      makeBroken((Class) => Class),
    );
    expect(
      await produceOutput(
        operation,
        makeBroken((Class) => Class),
      ),
    ).toEqual(expected);
    const found = await produceOutput(operation, broken);
    const index = found.findIndex((frame, at) => frame !== expected[at]);
    expect(index).toBeGreaterThanOrEqual(0);
    const [expectedFrame, foundFrame] = [expected[index], found[index]].map((frame) =>
      Buffer.from(frame ?? ''),
    );
    const explained = await operation.explainDifference(
      expectedFrame ?? Buffer.of(),
      foundFrame ?? Buffer.of(),
    );
    expect(explained.expected).not.toBe(explained.found);
  });

  test('has at least one fault to detect', () => {
    expect(faults.length).toBeGreaterThan(0);
  });
});

test('documents without an ObjectId of the variant are rejected', async () => {
  const [, operation] = operations.find(([file]) => file === 'object-id-equals.js') ?? [];
  const foreign = makeBroken((Class) => Class);
  const prepare = async () => operation?.prepare({ ...foreign, EJSON: bson.EJSON }, corpus);
  await expect(prepare()).rejects.toThrow(/document 0 of test-documents has no ObjectId/);
});
