import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareCorpus } from '../../../corpora/support/prepare.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { PROJECT } from '../../lib/project.js';
import { omitUndefined } from '../../lib/records.js';
import { chooseStart, composeStart } from '../../run/jobs.js';
import { runWorker } from '../../run/process.js';
import { describeLong } from '../../testing/support/gates.js';
import { findRuntime } from '../runtimes.js';
import { findChromium } from './browser.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

/** @import { Job, JobVariant, Runtime, WorkerReport } from '../../formats/types.ts' */

const TIMEOUT_MS = 600_000;

const root = makeTestDirectory('chromium-test');
/** Of the browsers. */
const temporaryPath = join(root, 'temporary');
mkdirSync(temporaryPath);

const isMissing = findChromium(process.env) === null;
const familyPath = join(PROJECT.experimentsPath, 'js-bson');

/** @type {Runtime} */
let chromium;
beforeAll(async () => {
  if (isMissing) return;
  const { runtime } = await findRuntime('chromium', PROJECT);
  chromium = /** @type {Runtime} */ (runtime);
});

/**
 * @param {object} wanted fields of the job besides those of all jobs
 * @param {object} [how]
 * @param {string} [how.runtime] the Node of the tests where not given
 * @param {JobVariant} [how.variant]
 * @param {AbortSignal} [how.signal] kills the worker
 */
function runJob(
  wanted,
  { runtime = chromium.runtime, variant = builtIn('linked-list'), signal } = {},
) {
  const job = /** @type {Job} */ ({
    formatVersion: FORMAT_VERSION,
    id: 'one',
    family: 'js-bson',
    familyPath,
    variant,
    runtime,
    ...wanted,
  });
  return runWorker(job, {
    ...composeStart(chooseStart(runtime, [chromium]), []),
    environment: { ...process.env, TMPDIR: temporaryPath },
    timeoutMs: TIMEOUT_MS,
    ...omitUndefined({ signal }),
  });
}

/** @param {string} name @returns {JobVariant} */
function builtIn(name) {
  return { spec: name, modulePath: join(familyPath, 'variants', `${name}.js`), settings: {} };
}

/** @param {string} text of a module @returns {JobVariant} */
function inline(text) {
  const modulePath = join(root, 'variant.mjs');
  writeFileSync(modulePath, text);
  return { spec: `path:${modulePath}`, modulePath, settings: {} };
}

/** @param {Awaited<ReturnType<typeof runJob>>} outcome @returns {any} */
function reportOf(outcome) {
  if ('failure' in outcome) throw new Error(JSON.stringify(outcome.failure));
  return /** @type {WorkerReport} */ (outcome.report);
}

const flat = () => prepareCorpus('flat', { directory: PROJECT.corporaPath });

async function makeOutputJob() {
  const outputPath = join(root, 'output.frames');
  return { kind: 'output', operation: 'serialize', corpus: await flat(), outputPath };
}

const OWN = `node@${process.versions.node}`;

describeLong(`the worker in Chromium${isMissing ? ' (no Chromium)' : ''}`, () => {
  const testHere = isMissing ? test.skip : test;

  testHere(
    'times the same output as in Node, by a clock of its own, and leaves nothing behind',
    async () => {
      const settings = { warmUpMs: 5, warmUpCalls: 10, maxWarmUpMs: 50, batchCount: 4, batchMs: 1 };
      const wanted = { kind: 'measure', operation: 'serialize', corpus: await flat(), settings };
      const report = reportOf(await runJob(wanted));
      const ofNode = reportOf(await runJob(wanted, { runtime: OWN }));
      expect(report.outputDigest).toBe(ofNode.outputDigest);
      expect(report.runtime).toMatchObject({
        name: 'chromium',
        version: chromium.runtime.split('@')[1],
      });
      expect(report.runtime.flags).toEqual([]);
      const { measurement } = report;
      expect(measurement.batchNsPerDocument).toHaveLength(4);
      expect(measurement.batchGcMs).toHaveLength(4);
      expect(measurement.referenceLoopNs).toHaveLength(5);
      expect(measurement.residentBytes).toBeGreaterThan(1e6);
      expect(readdirSync(temporaryPath)).toEqual([]);
    },
  );

  testHere('checks the contract, and says which rows are about Node', async () => {
    const { contract } = reportOf(await runJob({ kind: 'conformance', parts: 'contract' }));
    const notHeld = contract.filter((/** @type {any} */ { outcome }) => outcome !== 'holds');
    expect(
      notHeld.map((/** @type {any} */ { name, detail }) => [name, detail.slice(0, 26)]),
    ).toEqual([
      ['deep-equality', 'not checked in a browser: '],
      ['lodash-clone-deep', 'not checked in a browser: '],
      ['structured-clone', 'not checked in a browser: '],
      ['util-inspect', 'not checked in a browser: '],
      ['map-non-string-keys', 'not checked in a browser: '],
    ]);
  });

  testHere('records a profile whose functions are in the files of the variant', async () => {
    const observedPath = join(root, 'one.cpuprofile');
    writeFileSync(observedPath, '');
    reportOf(
      await runJob({
        kind: 'exercise',
        operation: 'serialize',
        corpus: await flat(),
        work: { passes: 300 },
        observer: 'cpu-profile',
        observedPath,
      }),
    );
    const { nodes } = JSON.parse(readFileSync(observedPath, 'utf8'));
    const urls = nodes.map((/** @type {any} */ { callFrame }) => callFrame.url);
    expect(urls).toContain(`file://${familyPath}/codec/serializer.js`);
    expect(urls.join()).not.toContain('https:');
  });

  testHere.each([
    ['that needs Node', "import { connect } from 'node:net';\nconnect();", "'node:net'"],
    [
      'that ends the page',
      "await fetch('/?ask=devtools', { method: 'POST', body: JSON.stringify({ method: 'Page.crash' }) });",
      'crashed',
    ],
  ])('says what is wrong with a variant %s', async (_kind, text, expected) => {
    const outcome = await runJob(await makeOutputJob(), { variant: inline(text) });
    expect(outcome).toMatchObject({ failure: { reason: 'exit-status' } });
    expect(JSON.stringify(outcome)).toContain(expected);
    expect(readdirSync(temporaryPath)).toEqual([]);
  });

  testHere('is killed with its browser while a variant hangs, and the next one works', async () => {
    const wanted = await makeOutputJob();
    const { outputPath } = wanted;
    const address = `/?ask=write&about=${encodeURIComponent(JSON.stringify(outputPath))}`;
    const hangs = inline(`await fetch('${address}', { method: 'POST', body: 'x' });\nfor (;;);`);
    rmSync(outputPath, { force: true });
    const interrupts = new AbortController();
    const running = runJob(wanted, { variant: hangs, signal: interrupts.signal });
    const ended = running.then(() => true);
    while (!existsSync(outputPath) && !(await Promise.race([ended, sleep(20)])));
    interrupts.abort();
    expect(await running).toMatchObject({ failure: { reason: 'signal' } });
    // Where it was killed before it could remove the profile, the next worker does.
    const next = await runJob(wanted, { variant: inline("throw new RangeError('no good');") });
    expect(next).toMatchObject({ failure: { reason: 'exit-status' } });
    expect(JSON.stringify(next)).toContain('no good');
    expect(readdirSync(temporaryPath)).toEqual([]);
  });
});
