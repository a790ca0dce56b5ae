import * as bson from 'bson';
import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runNpm } from '../../../harness/variants/npm.js';
import { assertSameOutcome, outcomeOf } from '../codec/test-support/variants.js';
import * as packed from '../object-ids/packed.js';
import { makeChampion } from './codec.js';
import * as champion from './index.js';
import { startCommandServer } from './test-support/command-server.js';
import { testLong } from '../../../harness/testing/support/gates.js';
import { makeTestDirectory } from '../../../harness/testing/support/directories.js';

const HEX = '65a1b2c3d4e5f60718293a4b';
const MIB = 2 ** 20;
const PACKAGE = fileURLToPath(new URL('.', import.meta.url));
/** A project of a user. */
const project = makeTestDirectory('champion');

/** @type {(value: any) => string} */
function kindOf(value) {
  return typeof value === 'function' && /^class\b/.test(String(value)) ? 'class' : typeof value;
}

/** @type {(namespace: Record<string, any>) => Record<string, string>} */
function kindsOf(namespace) {
  const entries = Object.entries(namespace).map(([name, value]) => [name, kindOf(value)]);
  return Object.fromEntries(entries.sort());
}

describe('the exports', () => {
  test('are those of bson, of the same kinds', () => {
    expect(kindsOf(champion)).toEqual(kindsOf(bson));
    expect(kindsOf(champion.BSON)).toEqual(kindsOf(bson.BSON));
    expect({ ...champion, BSON: null }).toEqual({ ...champion.BSON, BSON: null });
    expect(kindsOf(champion.EJSON)).toEqual(kindsOf(bson.EJSON));
  });

  test('include the public members of ObjectId', () => {
    const internal = [
      'PROCESS_UNIQUE',
      'index',
      'is',
      'isCached',
      'resetState',
      'setFromBytes',
      'setFromHex',
      'validateHexString',
    ];
    for (const [theirs, ours] of [
      [bson.ObjectId, champion.ObjectId],
      [bson.ObjectId.prototype, champion.ObjectId.prototype],
    ]) {
      const missing = Object.getOwnPropertyNames(theirs).filter((name) => !(name in ours));
      expect(missing.filter((name) => !internal.includes(name))).toEqual([]);
    }
  });

  test('are the same objects in CommonJS and ES modules, without a warning', () => {
    mkdirSync(join(project, 'node_modules'));
    symlinkSync(PACKAGE, join(project, 'node_modules', 'bson'));
    const program = `
      const required = require('bson');
      import('bson').then((imported) => {
        const names = Object.keys(required);
        console.log(names.length, names.filter((name) => required[name] !== imported[name]).length);
      });`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
      cwd: project,
      encoding: 'utf8',
    });
    expect([stdout, stderr]).toEqual([`${Object.keys(bson).length} 0\n`, '']);
    rmSync(join(project, 'node_modules'), { recursive: true });
  });
});

describe('deserializeStream', () => {
  const documents = [{ a: 1 }, { b: 'x', c: [1n] }, {}, { d: { e: new Date(5) } }];
  const parts = documents.map((document) => Buffer.from(bson.serialize(document)));
  const stream = Buffer.concat([Buffer.from([1, 2]), ...parts, Buffer.from([9])]);
  const broken = Buffer.from(stream);
  broken[2 + parts[0].length + 4] = 0x55;

  /** @type {[name: string, args: any[], place?: number][]} */
  const CALLS = [
    ['all documents', [stream, 2, 4]],
    ['some of them', [stream, 2 + parts[0].length, 2]],
    ['none', [stream, 2, 0]],
    ['no number of them', [stream, 2, undefined]],
    ['more than there are', [stream, 2, 5]],
    ['from a wrong index', [stream, 1, 4]],
    ['from no index', [stream, undefined, 1]],
    ['from beyond the end', [stream, 999, 1]],
    ['from a negative index', [stream, -1, 1]],
    ['after an invalid one', [broken, 2, 4]],
    ['after others', [stream, 2, 2], 3],
    ['with options', [stream, 2, 4], 0],
    ['of a view', [new Uint8Array(stream), 2, 4]],
    ['of an ArrayBuffer', [new Uint8Array(stream).buffer, 2, 4]],
    ['of text', ['text', 0, 1]],
  ];
  /** @type {any[]} */
  const OPTIONS = [
    undefined,
    null,
    { index: 1 },
    { promoteValues: false },
    { useBigInt64: true },
    { allowObjectSmallerThanBufferSize: false },
  ];

  test.each(CALLS)('reads %s like that of bson', (name, [bytes, start, count], place = 0) => {
    for (const options of OPTIONS) {
      /** @type {(codec: any) => ReturnType<typeof outcomeOf>[]} */
      const observe = ({ deserializeStream }) => {
        /** @type {any[]} */
        const read = ['before'];
        return [
          outcomeOf(() => deserializeStream(bytes, start, count, read, place, options)),
          { value: read },
        ];
      };
      const ours = observe(champion);
      const theirs = observe(bson);
      const label = `${name}, ${JSON.stringify(options)}`;
      for (const [index, outcome] of ours.entries()) {
        assertSameOutcome(outcome, theirs[index], label);
      }
    }
  });
});

test('setInternalBufferSize makes room for larger documents, and never less', () => {
  // One of its own, since no buffer becomes smaller again.
  const { serialize, setInternalBufferSize } = makeChampion(packed);
  const document = { text: 'x'.repeat(18 * MIB) };
  expect(() => serialize(document)).toThrow(RangeError);
  for (const size of [19 * MIB, 1, NaN]) setInternalBufferSize(size);
  const expected = bson.serialize(
    document,
    /** @type {any} */ ({ minInternalBufferSize: 19 * MIB }),
  );
  expect(Buffer.compare(serialize(document), expected)).toBe(0);
});

describe('beside the ObjectId of bson', () => {
  const own = new champion.ObjectId(HEX);
  const foreign = new bson.ObjectId(HEX);
  /** @type {(oid: any) => any} */
  const makeDocument = (oid) => ({
    oid,
    link: new bson.DBRef('c', oid),
    code: new bson.Code('f', { oid }),
  });

  test.each([
    ['champion', champion],
    ['bson', bson],
  ])('%s writes and measures ids of both classes alike', (_name, codec) => {
    const expected = bson.serialize(makeDocument(foreign));
    for (const oid of /** @type {any[]} */ ([own, foreign])) {
      const document = makeDocument(oid);
      expect(Buffer.compare(codec.serialize(document), expected)).toBe(0);
      expect(codec.calculateObjectSize(document)).toBe(expected.length);
      expect(codec.EJSON.stringify(document)).toBe(bson.EJSON.stringify(makeDocument(foreign)));
      expect(codec.ObjectId.isValid(oid)).toBe(true);
      expect(String(new codec.ObjectId(oid))).toBe(HEX);
      expect(oid).toBeInstanceOf(codec.BSONValue);
    }
  });

  test('each equals the other', () => {
    expect(own.equals(foreign)).toBe(true);
    expect(foreign.equals(own)).toBe(true);
  });

  test('everything read has ids of the own class', () => {
    const text = bson.EJSON.stringify(makeDocument(foreign));
    for (const { oid, link, code } of [
      champion.deserialize(bson.serialize(makeDocument(foreign))),
      champion.EJSON.parse(text),
      champion.EJSON.deserialize(JSON.parse(text)),
      champion.EJSON.parse(champion.EJSON.stringify(makeDocument(own), { relaxed: false })),
    ]) {
      for (const id of [oid, link.oid, code.scope.oid]) {
        expect(id).toBeInstanceOf(champion.ObjectId);
        expect(String(id)).toBe(HEX);
      }
    }
  });
});

testLong(
  'a driver sends and receives the same documents with it, after one command',
  async () => {
    writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
    const npm = { cwd: project, timeoutMs: 120_000 };
    await runNpm(['install', 'mongodb@7.8.0', ...flags], npm);
    const before = await useDriver();
    await runNpm(['install', `bson@file:${PACKAGE}`, ...flags], npm);
    const after = await useDriver();
    expect(before).toMatchObject({ isChampion: false, sharesBson: [], insertedCount: 2 });
    expect(before).toMatchObject({ ids: [true, true, true], isInsertedId: true });
    expect(after).toEqual({ ...before, isChampion: true });
  },
  300_000,
);

/** @returns {Promise<Record<string, any>>} what the program prints */
async function useDriver() {
  const program = join(project, 'program.cjs');
  const source = fileURLToPath(new URL('./test-support/use-driver.cjs', import.meta.url));
  // A copy, which finds the packages of the project.
  copyFileSync(source, program);
  const { uri, stop } = await startCommandServer();
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, uri]);
    return JSON.parse(stdout);
  } finally {
    stop();
  }
}
