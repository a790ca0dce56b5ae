/**
 * Runs in a separate process with --expose-gc: prints, as JSON, how many values of each scenario remain after
 * garbage was collected.
 */
import { setImmediate as pause } from 'node:timers/promises';
import * as bson from 'bson';
import * as packed from '../../object-ids/packed.js';
import { makeChampion } from '../codec.js';

const ROUNDS = 40;
const COLLECTIONS = 3;

/** @type {WeakRef<any>[]} */
let watched = [];

/** @type {<T extends object>(value: T) => T} */
function watch(value) {
  watched.push(new WeakRef(value));
  return value;
}

const { serialize, deserialize, ObjectId } = makeChampion({
  ObjectId: packed.ObjectId,
  readObjectId: (bytes, offset) => watch(packed.readObjectId(bytes, offset)),
});

const BYTES = bson.serialize({
  id: new bson.ObjectId(),
  list: [{ date: new Date(0), id: new bson.ObjectId() }, { a: Buffer.alloc(40) }],
  text: 'x'.repeat(100_000),
});

/** Documents as values of the last field, on which an error can wait. @type {(last: unknown) => object} */
function makeDocument(last) {
  const inner = watch([watch(new Date(0)), watch({ id: watch(new ObjectId()) }), watch(new Map())]);
  return watch({ bytes: watch(Buffer.alloc(20_000)), in: watch({ inner }), last });
}

/** @returns {never} */
function fail() {
  throw new Error('of the caller');
}

function read(bytes = watch(Buffer.from(BYTES))) {
  const document = watch(deserialize(bytes));
  watch(document.list);
  watch(document.list[0].date);
  watch(document.list[1].a);
}

/** @type {object[]} */
const kept = [];

/** @type {Record<string, () => unknown>} */
const SCENARIOS = {
  'kept on purpose': () => kept.push(watch({})),
  written: () => watch(serialize(makeDocument(1))),
  read: () => read(),
  'refused while writing': () => serialize(makeDocument({ toBSON: fail })),
  'refused while reading'() {
    const bytes = watch(Buffer.from(BYTES));
    bytes[bytes.length - 2] = 1;
    deserialize(bytes);
  },
  'written and read while writing'() {
    const last = { toBSON: () => [serialize(makeDocument(1)), read()] };
    watch(serialize(makeDocument(last)));
  },
  'refused within'() {
    serialize(makeDocument({ toBSON: () => serialize(makeDocument({ toBSON: fail })) }));
  },
};

/** @type {Record<string, { watched: number, remaining: number }>} */
const report = {};
for (const [name, run] of Object.entries(SCENARIOS)) {
  watched = [];
  for (let round = 0; round < ROUNDS; round++) runQuietly(run);
  for (let count = 0; count < COLLECTIONS; count++) {
    // A WeakRef keeps its target alive until the end of the job that created or dereferenced it.
    await pause();
    /** @type {() => void} */ (globalThis.gc)();
  }
  const remaining = watched.filter((reference) => reference.deref() !== undefined).length;
  report[name] = { watched: watched.length, remaining };
}
process.stdout.write(JSON.stringify(report));

/** @param {() => unknown} run */
function runQuietly(run) {
  try {
    run();
  } catch {
    // Whether it is refused is tested elsewhere.
  }
}
