import { readFileSync } from 'node:fs';
import { PROJECT } from '../../lib/project.js';
import { writeCodec } from '../../testing/support/fake-codec.js';
import { testLong } from '../../testing/support/gates.js';
import { listFamilies } from '../../variants/families.js';
import { runFuzzSession, writeCase } from './session.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

/** @import { ResolvedVariant } from '../../formats/types.ts' */
/** @import { CodecScript } from '../../testing/support/fake-codec.js' */

/** Only a worker that is meant to hang may be taken for one that does, even on a machine that is very busy. */
const HANG_MS = 60_000;
/** Length of the documents on which some variants hang or crash. */
const FATAL_BYTES = 61;

/** @type {Record<string, CodecScript>} */
const SCRIPTS = {
  prints: { prints: '{"formatVersion": 1, "jobId": "forged"}' },
  'hangs-on-some': { behaviour: 'hangs', inputBytes: FATAL_BYTES },
  'dies-late': { behaviour: 'dies', afterCalls: 800 },
  'dies-on-some': { behaviour: 'dies', inputBytes: FATAL_BYTES },
};

const codecs = makeTestDirectory('codecs');

const [family] = (await listFamilies(PROJECT.experimentsPath)).filter(
  ({ name }) => name === 'js-bson',
);

/**
 * @param {string} name of a script
 * @param {{ maxDocuments?: number, maxStops?: number, signal?: AbortSignal, hangMs?: number, onProgress?: (result: import('../../formats/types.ts').FuzzResult) => void }} [limits]
 */
function fuzz(
  name,
  { signal = new AbortController().signal, hangMs = HANG_MS, onProgress, ...limits } = {},
) {
  const modulePath = writeCodec(codecs, name, SCRIPTS[name] ?? {});
  const variant = /** @type {ResolvedVariant} */ ({ spec: name, modulePath, settings: {} });
  const common = { seed: 7, maxMs: 60_000, casesPaths: [], maxDocuments: 1_000, maxStops: 1 };
  return runFuzzSession(
    { ...common, ...limits, variant, family },
    {
      environment: process.env,
      signal,
      runtimes: [],
      hangMs,
      nowMs: () => performance.now(),
      onProgress: onProgress ?? (() => {}),
    },
  );
}

/** @type {ReturnType<typeof fuzz> | undefined} */
let crashed;

/** @returns {ReturnType<typeof fuzz>} the session of a variant that crashes; it runs once */
function fuzzUntilCrash() {
  crashed ??= fuzz('dies-on-some');
  return crashed;
}

testLong('a correct variant is tried on the requested number of documents', async () => {
  const { result, ended } = await fuzz('prints', { maxDocuments: 200 });
  expect(ended).toBe('complete');
  expect(result).toMatchObject({ documents: 200, differences: 0, failures: [] });
});

testLong('the document on which a variant dies is found', async () => {
  expectFound(await fuzzUntilCrash(), 'dies', /SIGKILL/);
});

testLong('the document on which a variant hangs is found', async () => {
  const session = await fuzz('hangs-on-some', { hangMs: 3_000 });
  expectFound(session, 'hangs', /^no end after 3 s$/);
});

/** @type {(session: Awaited<ReturnType<typeof fuzz>>, kind: string, found: RegExp) => void} */
function expectFound({ result, ended }, kind, found) {
  expect(ended).toBe('stopped');
  expect(result.failures).toEqual([
    expect.objectContaining({ kind, document: expect.any(Number) }),
  ]);
  expect(result.failures[0].found).toMatch(found);
  expect(result.failures[0].hex).toHaveLength(2 * FATAL_BYTES);
  // All documents up to that one were tried.
  expect(result.documents).toBe(result.failures[0].document + 1);
}

testLong('after a crash the documents that follow are tried', async () => {
  const first = (await fuzzUntilCrash()).result.documents;
  const { result } = await fuzz('dies-on-some', { maxDocuments: first + 1, maxStops: 3 });
  expect(result.documents).toBe(first + 1);
});

testLong('a session goes on after a crash that does not happen again', async () => {
  // Documents that are tried one by one are too few for it.
  const { result, ended } = await fuzz('dies-late', { maxDocuments: 5_000 });
  expect(ended).toBe('complete');
  expect(result).toMatchObject({ documents: 5_000, failures: [] });
});

testLong('an interruption ends the session with its results so far', async () => {
  const interrupts = new AbortController();
  const { result, ended } = await fuzz('prints', {
    maxDocuments: 100_000_000,
    signal: interrupts.signal,
    onProgress: ({ documents }) => {
      if (documents > 0) interrupts.abort();
    },
  });
  expect(ended).toBe('interrupted');
  expect(result.documents).toBeGreaterThan(0);
  expect(result.differences).toBe(0);
});

const casesPath = makeTestDirectory('cases');

test('the case of a failure is written once, with what is needed to repeat it', () => {
  const failure = {
    document: 12,
    kind: 'other-value',
    hex: '0500000000',
    options: { raw: true },
    writeOptions: {},
    expected: '1',
    found: '2',
  };
  const origin = { directory: casesPath, spec: 'mine', reference: 'npm:bson@7.3.1', seed: 7 };
  const path = writeCase(failure, origin);
  expect(writeCase({ ...failure, document: 13 }, origin)).toBe(path);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
    hex: '0500000000',
    options: { raw: true },
    expected: 'npm:bson@7.3.1: 1',
    note: "other-value: mine gave '2' (seed 7, document 13)",
  });
});
