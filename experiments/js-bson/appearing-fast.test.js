/** What stops codecs that look fast without being fast: decision 0027. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as bson from 'bson';
import { FORMAT_VERSION } from '../../harness/formats/format-version.js';
import { EXIT } from '../../harness/lib/errors.js';
import { runInWorker } from '../../harness/worker/test-support/report-of.js';
import { testLong } from '../../harness/testing/support/gates.js';
import { callAssay } from '../../harness/testing/support/project.js';
import { digestFrames } from '../../harness/worker/frames.js';
import { makeTestDirectory } from '../../harness/testing/support/directories.js';
import { CONTRACT, runContract } from './contract/run-contract.js';
import { operation as calculateSize } from './operations/calculate-size.js';
import { operation as deserialize } from './operations/deserialize.js';
import { operation as get100 } from './operations/get-100.js';
import { operation as serialize } from './operations/serialize.js';
import { makeComments, storeTestCorpus } from './operations/test-support/test-corpus.js';
import { VALUE_COUNT } from '../support/variations.js';
import { NAMES, openImpostor, writeImpostor } from './test-support/impostors.js';

/** @import { Job, MeasureReport, MeasureSettings, Operation, OutputReport, Verdict } from '../../harness/formats/types.ts' */

const COUNT = 3;
const corpus = storeTestCorpus(makeComments(COUNT));
const single = storeTestCorpus(makeComments(1));
const runs = makeTestDirectory('impostors');

/** @type {Record<string, Operation<any>>} */
const OPERATIONS = {
  serialize,
  deserialize,
  'calculate-size': calculateSize,
  'get-100': get100,
};

/**
 * The output as in a job that times the operation.
 * @param {string} name of the operation
 * @param {object} functions of a codec
 */
async function outputWhenTimed(name, functions) {
  const operation = OPERATIONS[name];
  const state = await operation.prepare({ ...bson, ...functions }, corpus);
  operation.run(state, 5);
  operation.keepSample?.(state);
  operation.run(state, 200);
  return operation.output(state);
}

/** @param {string} name of the operation  @param {object} functions of a codec */
async function outputWhenChecked(name, functions) {
  const operation = OPERATIONS[name];
  return operation.output(await operation.prepare({ ...bson, ...functions }, corpus));
}

/**
 * Rows of the contract that each fails at least, and the operations whose output gives it away in the gate
 * and when timed.
 * @type {Record<string, { rows: string[], checked: string[], timed: string[] }>}
 */
const EXPECTED = {
  'remembers documents': {
    rows: ['changed-documents', 'changed-ids', 'changed-options'],
    checked: ['serialize'],
    timed: ['serialize'],
  },
  'remembers documents that it often sees': { rows: [], checked: [], timed: ['serialize'] },
  'remembers the last document': {
    rows: ['changed-documents', 'changed-ids', 'changed-options'],
    // In the gate only with one document, as in most corpora; here there are three.
    checked: [],
    timed: ['serialize'],
  },
  'remembers input': {
    rows: ['changed-input'],
    checked: ['deserialize', 'get-100'],
    timed: ['deserialize', 'get-100'],
  },
  'remembers content': { rows: ['changed-results'], checked: [], timed: [] },
  'remembers sizes of documents that it often sees': {
    rows: [],
    checked: [],
    timed: ['calculate-size'],
  },
  'reuses its output': {
    rows: ['output-aliasing', 'changed-results'],
    checked: [],
    timed: ['serialize'],
  },
  'reuses its output after a while': {
    rows: ['output-aliasing'],
    checked: [],
    timed: ['serialize'],
  },
  'writes later': {
    rows: ['changed-documents', 'output-aliasing'],
    checked: ['serialize'],
    timed: ['serialize'],
  },
  'reads later': {
    rows: ['changed-input', 'promotion-options'],
    checked: ['deserialize', 'get-100'],
    timed: ['deserialize', 'get-100'],
  },
  'reads on demand': {
    rows: ['data-properties'],
    checked: ['deserialize'],
    timed: ['deserialize'],
  },
  'reads on demand behind a proxy': {
    rows: ['data-properties', 'structured-clone'],
    checked: ['deserialize'],
    timed: ['deserialize'],
  },
  'shares empty values': { rows: ['changed-results'], checked: [], timed: [] },
  'works only when checked': {
    rows: [],
    checked: [],
    timed: ['serialize', 'deserialize', 'calculate-size', 'get-100'],
  },
};

test('every impostor has an expectation', () => {
  expect(Object.keys(EXPECTED)).toEqual(NAMES);
});

describe.each(Object.entries(EXPECTED))('a codec that %s', (name, { rows, checked, timed }) => {
  const isQuick = rows.length > 0 || name === 'works only when checked';
  (isQuick ? test : testLong)(`fails ${rows.join() || 'no row'} of the contract`, async () => {
    const module = { ...bson, ...openImpostor(name) };
    const found = await runContract(module, bson, { spec: 'an-impostor' }, selectRows(rows));
    const failing = found.filter(({ outcome }) => outcome === 'fails').map((row) => row.name);
    expect(failing.sort()).toEqual(rows.toSorted());
  });

  test.each(Object.keys(OPERATIONS))('output of %s', async (operation) => {
    const expected = await outputWhenChecked(operation, bson);
    const inGate = await outputWhenChecked(operation, openImpostor(name));
    expect(isSame(inGate, expected)).toBe(!checked.includes(operation));
    const inTimedJob = await outputWhenTimed(operation, openImpostor(name));
    expect(isSame(inTimedJob, expected)).toBe(!timed.includes(operation));
  });
});

/** @type {(names: string[]) => typeof CONTRACT} of the contract; all of it if there are none */
function selectRows(names) {
  if (names.length === 0) return CONTRACT;
  const rows = CONTRACT.flatMap((theme) => theme.rows);
  return [{ title: 'Some', rows: rows.filter(({ name }) => names.includes(name)) }];
}

/** @param {Uint8Array[]} a  @param {Uint8Array[]} b */
function isSame(a, b) {
  return a.length === b.length && a.every((frame, index) => Buffer.compare(frame, b[index]) === 0);
}

test('a codec that works gives the same output whether timed or not', async () => {
  for (const name of Object.keys(OPERATIONS)) {
    const expected = await outputWhenChecked(name, bson);
    expect(isSame(await outputWhenTimed(name, bson), expected)).toBe(true);
  }
});

test('the last document, if it is the only one, differs in every call', async () => {
  const module = { ...bson, ...openImpostor('remembers the last document') };
  const [expected] = await serialize.output(await serialize.prepare(bson, single));
  const [found] = await serialize.output(await serialize.prepare(module, single));
  expect(Buffer.compare(expected, found)).not.toBe(0);
});

test('no timed call gets what an earlier one got, so a correct cache gains nothing', async () => {
  /** @type {string[]} */
  const written = [];
  /** @type {string[]} */
  const read = [];
  const module = {
    ...bson,
    serialize(/** @type {bson.Document} */ document) {
      const bytes = bson.serialize(document);
      written.push(Buffer.from(bytes).toString('latin1'));
      return bytes;
    },
    deserialize(/** @type {Uint8Array} */ bytes) {
      read.push(Buffer.from(bytes).toString('latin1'));
      return bson.deserialize(bytes);
    },
  };
  serialize.run(await serialize.prepare(module, corpus), VALUE_COUNT);
  expect(new Set(written).size).toBe(VALUE_COUNT * COUNT);
  deserialize.run(await deserialize.prepare(module, corpus), 100);
  expect(new Set(read).size).toBe(100 * COUNT);
});

test('what an application does with documents does not become faster with another JSON.stringify', async () => {
  const expected = await outputWhenTimed('get-100', bson);
  const { stringify } = JSON;
  try {
    JSON.stringify = () => '[]';
    expect(await outputWhenTimed('get-100', bson)).toEqual(expected);
  } finally {
    JSON.stringify = stringify;
  }
});

testLong('a comparison is refused before anything is timed, with the stale value', async () => {
  const candidate = `path:${writeImpostor(runs, 'remembers documents')}`;
  const out = join(runs, 'compared');
  const cell = ['--op', 'serialize', '--corpus', 'deep', '--explain', 'none', '--out', out];
  const { status, stdout } = await callAssay(['compare', 'linked-list', candidate, ...cell]);
  expect(status).toBe(EXIT.wrongBytes);
  const [runId] = readdirSync(out);
  /** @type {Verdict} */
  const verdict = JSON.parse(readFileSync(join(out, runId, 'verdict.json'), 'utf8'));
  expect(verdict).toMatchObject({ ended: 'refused', cells: [{ verdict: 'refused' }] });
  expect(verdict.differences).toHaveLength(1);
  expect(stdout).toContain('changed-documents');
});

/**
 * @template R report
 * @param {string} modulePath
 * @param {{ kind: 'measure', settings: MeasureSettings } | { kind: 'output', outputPath: string }} wanted
 * @returns {Promise<R>}
 */
async function runJob(modulePath, wanted) {
  /** @type {Job} */
  const job = {
    formatVersion: FORMAT_VERSION,
    id: 'a job',
    family: 'js-bson',
    familyPath: fileURLToPath(new URL('.', import.meta.url)),
    variant: { spec: 'an-impostor', modulePath, settings: {} },
    operation: 'serialize',
    corpus,
    ...wanted,
  };
  return runInWorker(job);
}

test('a variant that changes the flags of V8 has no output', async () => {
  const path = writeImpostor(runs, 'changes nothing');
  const source = readFileSync(path, 'utf8');
  const outputPath = join(runs, 'frames');
  /** @type {OutputReport} */
  const before = await runJob(path, { kind: 'output', outputPath });
  expect(before.outputDigest).not.toBeNull();
  for (const load of [
    `import { setFlagsFromString } from 'node:v8';`,
    `import { createRequire } from 'node:module';
     const { setFlagsFromString } = createRequire(import.meta.url)('v8');`,
  ]) {
    // V8's tag for cached code does not show this one from Node 22 on.
    const change = `setFlagsFromString('--no-lazy-feedback-allocation');`;
    writeFileSync(path, `${source}${load}\n${change}\n`);
    /** @type {OutputReport} */
    const after = await runJob(path, { kind: 'output', outputPath });
    expect(after).toMatchObject({
      outputDigest: null,
      thrown: expect.stringContaining(
        'changes the flags of V8 (--no-lazy-feedback-allocation); --node-flag',
      ),
    });
  }
});

describe('a timed job', () => {
  /** @param {string} name of the impostor */
  async function digestOf(name) {
    const settings = {
      warmUpMs: 2,
      warmUpCalls: 50,
      maxWarmUpMs: 20,
      batchCount: 4,
      batchMs: 1,
    };
    /** @type {MeasureReport} */
    const report = await runJob(writeImpostor(runs, name), { kind: 'measure', settings });
    return report.outputDigest;
  }

  test('has the digest of the reference only if timed calls work', async () => {
    const expected = digestFrames(await outputWhenChecked('serialize', bson));
    expect(await digestOf('remembers nothing')).toBe(expected);
    expect(await digestOf('works only when checked')).not.toBe(expected);
  });
});
