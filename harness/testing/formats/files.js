/** Files that Assay reads: whole samples of each, and the code that reads them. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { BSON, EJSON } from 'bson';
import { importCorpus } from '../../../corpora/support/import.js';
import { prepareCorpus } from '../../../corpora/support/prepare.js';
import { loadCases } from '../../../experiments/js-bson/fuzz/pool.js';
import { describeCalibration } from '../../../reports/content/calibration.js';
import { describeClaims } from '../../../reports/content/claims.js';
import { describePeers } from '../../../reports/content/peers.js';
import { describeReproduction } from '../../../reports/content/reproduction.js';
import { describeTrend } from '../../../reports/content/trend.js';
import { makePeers } from '../../../reports/content/test-support/make-peers.js';
import { makeReproduction } from '../../../reports/content/test-support/make-reproduction.js';
import { renderHtml as renderDocument } from '../../../reports/document/html.js';
import { renderMarkdown } from '../../../reports/document/markdown.js';
import { renderTerminal } from '../../../reports/document/terminal.js';
import { renderHtml } from '../../../reports/fixtures/render.js';
import { makeManifest } from '../../../reports/fixtures/build.js';
import { recordedRun } from '../../../reports/fixtures/runs.js';
import { convertProfile } from '../../cli/commands/convert.js';
import { comparisonFinding, formatFinding } from '../../cli/publish.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { REPLAY_END, REPLAY_START } from '../../formats/replay-marks.js';
import { validate } from '../../formats/schemas.js';
import {
  citeCalibration,
  makeCalibrationRecord,
  readCalibrationRecord,
} from '../../host/calibration-record.js';
import { parseJson, readText } from '../../lib/files.js';
import { PROJECT } from '../../lib/project.js';
import { exportFolded } from '../../profiling/formats/folded.js';
import { importPerfScript, resolvePerfMap } from '../../profiling/formats/perf.js';
import { describeBy } from '../../profiling/profiles/frames.js';
import { exportSpeedscope } from '../../profiling/formats/speedscope.js';
import { differentiate } from '../../profiling/profiles/call-tree.js';
import { readFixture, readProfiles } from '../../profiling/profiles/fixtures/read-fixture.js';
import { readTotal } from '../../profiling/recorders/instructions.js';
import { readTimes } from '../../profiling/recorders/whole-process.js';
import { parseLog } from '../../profiling/v8-log/log-reader.js';
import { normalizeLog } from '../../profiling/v8-log/normalize-log.js';
import { runWorker } from '../../run/process.js';
import { readRun } from '../../run/store.js';
import { analyzeRun } from '../../run/verdict.js';
import { analyseCalibration } from '../../stats/calibration/calibration.js';
import { readCalibration } from '../../studies/calibration/store.js';
import { makeCalibration } from '../../studies/calibration/test-support/make-calibration.js';
import { readClaims } from '../../studies/claims/claims.js';
import { recallResults } from '../../studies/claims/reproduction.js';
import { NO_RESULT, addResults, readJournal } from '../../studies/fuzz/session.js';
import { mapVariants } from '../../studies/replay/map-variants.js';
import { checkCells, checkQuestion } from '../../studies/replay/question.js';
import { readReport } from '../../studies/replay/report.js';
import { makeRecord } from '../../studies/replay/test-support/make-record.js';
import {
  addRecord,
  makeRecord as makeHistoryRecord,
  readRecords,
} from '../../studies/history/store.js';
import { readStudy } from '../../studies/study.js';
import { restoreSnapshot } from '../../studies/watch/snapshots.js';
import { makeTrend } from '../../studies/trend/test-support/fixtures.js';
import { buildCheckout } from '../../variants/build-checkout.js';
import { findFamily, listFamilies } from '../../variants/families.js';
import { fetchPackage, findNpmPackage } from '../../variants/npm.js';
import { summarizePackage, findEntry } from '../../variants/package-entry.js';
import { placeRecording, readRecording } from '../matrix/recording.js';
import { isLong } from '../support/parts.js';

/** @import { FormatKind, Job, ObservationDone } from '../../formats/types.ts' */

/**
 * A directory that is read as a whole; each of its files is damaged in turn.
 *
 * @typedef {object} Directory
 * @property {string} name
 * @property {FormatKind[]} [kinds] published formats among its files
 * @property {Record<string, Buffer[]>} files whole samples by path; beside a damaged file the first
 *   sample of each other file lies
 * @property {string[]} [untouched] paths of files that are not damaged
 * @property {(folder: string, path: string) => Promise<unknown>} read reads `path` in `folder` as a user
 *   would, and renders the result; rejects with an `AssayError` if it refuses the file
 * @property {boolean} [isSlow] whether a quick test tries fewer damaged files
 * @property {boolean} [neverRefuses] whether a broken file is ignored
 * @property {boolean} [isRebuilt] whether files may be written again if they are broken
 * @property {boolean} [isNamedByCaller] whether messages need not name the file
 */

/** Enough observations for every part of a report, and few enough for a thousand reports a minute. */
const MAX_OBSERVATIONS = 60;
const MAX_TRIALS = 5;
const REMEDY = 'write it again';
const TERMINAL = { width: 100, color: true };
const IO = /** @type {any} */ ({
  stdout: { write: () => true, isTTY: true, columns: 100 },
  environment: {},
  workingPath: '/',
});

const recording = readRecording('js-bson');
const runFiles = await collectFiles(placeRun);
const corpusFiles = await collectFiles(importOnce);
const { calibration, trials } = makeCalibration();
const { sources, judged } = makeReproduction();
const claims = judged.map(({ claim }) => claim);
const record = await makeRecord();
const recorded = recordedRun('faster');
const storeFiles = await collectFiles(async (directory) => {
  addRecord(directory, makeHistoryRecord({ ...recorded, observations: [] }));
});
const families = await listFamilies(PROJECT.experimentsPath);

/** @type {Directory[]} */
const OWN = [
  {
    name: 'a run',
    kinds: [
      'manifest',
      'verdict',
      'observation',
      'memory-observation',
      'profile-observation',
      'placement-observation',
      'host',
      'gate',
      'session',
      'loaded-file',
      'deopt-log',
    ],
    files: runFiles,
    isSlow: true,
    // Messages about files that do not fit together name the observation.
    isNamedByCaller: true,
    async read(folder) {
      const stored = await readRun(folder);
      const analyzed = await analyzeRun(stored);
      const finding = await comparisonFinding({ ...stored, ...analyzed }, IO);
      for (const format of isLong ? ['terminal', 'markdown', 'html', 'json'] : ['html']) {
        await formatFinding(finding, format, IO);
      }
    },
  },
  {
    name: 'a calibration',
    kinds: ['calibration', 'trial'],
    files: {
      'calibration.json': [json(calibration)],
      'trials.ndjson': [lines(trials.slice(0, MAX_TRIALS))],
      'observations.ndjson': [lines(makeTrialObservations())],
      'placements.ndjson': [lines(makePlacementObservations())],
    },
    isSlow: true,
    async read(folder) {
      const { calibration: head, ...rest } = await readCalibration(folder);
      render(describeCalibration(analyseCalibration({ head, ...rest })));
    },
  },
  {
    name: 'what is known of this host',
    kinds: ['calibration-profile'],
    files: { 'calibration.json': [json(makeCalibrationRecord(calibration, trials))] },
    neverRefuses: true,
    async read(_folder, path) {
      const { environment } = calibration;
      const found = readCalibrationRecord(path);
      return found === null
        ? null
        : citeCalibration(found, { mode: 'default', environment, ageDays: 1 });
    },
  },
  {
    name: 'a comparison of tools',
    kinds: ['peers'],
    files: { 'peers.json': [json(makePeers())] },
    read: async (folder) => render(describePeers(readStudy('peers', folder))),
  },
  {
    name: 'a trend',
    kinds: ['trend'],
    files: { 'trend.json': [json(makeTrend())] },
    read: async (folder) =>
      render(describeTrend(readStudy('trend', folder), { path: folder, commandFor: () => 'just' })),
  },
  {
    name: 'the result store',
    kinds: ['comparison-record'],
    files: storeFiles,
    neverRefuses: true,
    read: async (folder) => readRecords(folder),
  },
  {
    name: 'an edit that was kept',
    kinds: ['kept-files'],
    files: {
      'edits/3/files.json': [json({ formatVersion: FORMAT_VERSION, root: '/x', files: [] })],
    },
    read: async (folder) => restoreSnapshot(join(folder, 'edits/3')),
  },
  {
    name: 'a family',
    kinds: ['claims'],
    files: {
      'claims.json': [json({ formatVersion: FORMAT_VERSION, family: 'family', sources, claims })],
    },
    async read(folder) {
      const found = await readClaims([/** @type {any} */ ({ name: 'family', path: folder })]);
      render(describeClaims({ ...found, results: {} }));
    },
  },
  {
    name: 'results of claims on this host',
    kinds: ['remembered-claim'],
    files: { 'claims.json': [json(makeRememberedResults())] },
    neverRefuses: true,
    read: async (_folder, path) =>
      render(describeClaims({ sources, claims, results: recallResults(path) })),
  },
  {
    name: 'a reproduction',
    kinds: ['reproduction'],
    files: { 'reproduction.json': [json(makeReproduction())] },
    isSlow: true,
    read: async (folder) => render(describeReproduction(readStudy('reproduction', folder))),
  },
  {
    name: 'a directory to replay',
    kinds: ['replay'],
    files: { 'verdict.json': [json({ ...recorded.verdict, replay: record })] },
    isNamedByCaller: true,
    read: (folder, path) => replay(dirname(path), folder),
  },
  {
    name: 'a page to replay',
    files: { 'report.html': [cutRecord()] },
    isNamedByCaller: true,
    read: (_folder, path) => replay(path, path),
  },
  {
    name: 'the worker protocol: a job',
    kinds: ['job'],
    files: { 'job.json': [json(makeJob())] },
    read: async (_folder, path) =>
      validate('job', parseJson(read(path), `'${path}'`, REMEDY), `'${path}'`),
  },
  {
    name: 'the worker protocol: a report',
    kinds: ['worker-report'],
    files: { 'report.json': [json(makeWorkerReport())] },
    isSlow: true,
    neverRefuses: true,
    read(_folder, path) {
      const command = { executable: 'cat', args: [path], environment: process.env };
      return runWorker(makeJob(), { ...command, timeoutMs: 10_000 });
    },
  },
  {
    name: 'a cached checkout',
    kinds: ['build-record'],
    files: { [`git/${'0a'.repeat(20)}/build.json`]: [json({ build: 'npm run build' })] },
    read(folder) {
      const commit = '0a'.repeat(20);
      const revision = { repositoryPath: folder, commit, prefix: '', name: 'x' };
      return buildCheckout(revision, { cachePath: folder });
    },
  },
  {
    name: 'a cached package',
    kinds: ['package-record'],
    files: {
      'family/packages/crates-codec@1.0.0/package-record.json': [
        json({ integrity: 'sha512-AA==', idea: 'x', source: 'a registry' }),
      ],
    },
    read(folder) {
      const spec = { registry: 'crates', packageName: 'codec', version: '1.0.0' };
      const context = { family: { name: 'family', path: folder }, cachePath: folder };
      const [any, worker] = /** @type {any[]} */ ([spec, {}]);
      return fetchPackage(any, worker, /** @type {any} */ (context));
    },
  },
  {
    name: 'an imported corpus',
    kinds: ['import-record'],
    files: corpusFiles,
    isRebuilt: true,
    isNamedByCaller: true,
    read: (folder) => prepareCorpus('mine', { directory: folder }),
  },
  {
    name: 'a fuzz job',
    kinds: ['fuzz-journal'],
    files: {
      'journal.json': [
        json({ attempt: { document: 7, hex: '0500000000', options: {} }, result: NO_RESULT }),
      ],
    },
    neverRefuses: true,
    async read(_folder, path) {
      const journal = readJournal(path);
      return journal === null ? null : addResults(NO_RESULT, journal.result);
    },
  },
];

const PERF = 'perf-linked-list-node-20';
const profile = readProfiles()['linked-list-flat'];

const PERF_SCRIPT = `node 7/8 [001] 1.250000: 250000 cpu-clock:u:
\t 55d0 main+0x1f (/srv/my app (2)/node)
\t 55d8 [unknown] ([unknown])

node 7 1.500000: 3000 cycles: 55d0 main (/bin/node)
`;

/** Formats of other tools and of users. @type {Directory[]} */
const FOREIGN = [
  {
    name: 'a cached package of npm',
    files: { 'npm/codec@1.0.0/package-lock.json': [json(makeLockFile())] },
    read: (folder) =>
      findNpmPackage('codec', '1.0.0', { assayPath: PROJECT.assayPath, cachePath: folder }),
  },
  {
    name: 'a checkout',
    kinds: ['package-manifest'],
    files: {
      'package.json': ['index.js', './index.js'].map((main) =>
        json({ name: 'codec', version: '1.0.0', main, exports: { '.': { import: './index.js' } } }),
      ),
      'index.js': [Buffer.from('export const x = 1;\n')],
    },
    untouched: ['index.js'],
    isNamedByCaller: true,
    read: async (folder) => [await findEntry(folder), summarizePackage(folder)],
  },
  {
    name: 'Extended JSON to import',
    files: {
      'documents.json': [
        Buffer.from(`${extendedJson().join('\n')}\n`),
        Buffer.from(`[${extendedJson().join(',\n')}]`),
      ],
    },
    isNamedByCaller: true,
    read: importAndPrepare,
  },
  {
    name: 'BSON to import',
    files: {
      'documents.bson': [Buffer.concat(documents().map((document) => BSON.serialize(document)))],
    },
    isNamedByCaller: true,
    read: importAndPrepare,
  },
  {
    name: 'kept cases of fuzzing',
    files: { 'x.json': [json({ name: 'x', hex: '0500000000', options: { raw: true } })] },
    read: async (folder) => loadCases(folder),
  },
  ...profileOf('cpuprofile', fixture('generator-deep.cpuprofile', 'linked-list-flat.cpuprofile')),
  ...profileOf('heapprofile', fixture('generator-flat.heapprofile')),
  ...profileOf('speedscope.json', [
    json(exportSpeedscope([{ name: 'x', profile }], 'x')),
    json(makeSampled()),
  ]),
  ...profileOf('folded', [Buffer.from(exportFolded(profile))]),
  ...profileOf('old.cpuprofile', [json(makeOldProfile())]),
  ...profileOf('trace.json', [json({ traceEvents: makeTrace() }), json(makeTrace())]),
  ...profileOf('perf.txt', [Buffer.from(PERF_SCRIPT)]),
  {
    name: 'perf',
    files: { 'perf.txt': fixture(`${PERF}.txt`), 'perf.map': fixture(`${PERF}.map`) },
    isNamedByCaller: true,
    async read(folder) {
      const [script, map] = ['perf.txt', 'perf.map'].map((name) => read(join(folder, name)));
      const window = { startMs: 22751172.107642, endMs: 22751684.931753 };
      const settings = { window, frequencyHz: 1000, describe: describeBy('/project') };
      return differentiate(profile, importPerfScript(resolvePerfMap(script, map), settings));
    },
  },
  {
    name: 'V8',
    files: {
      'v8.log': [20, 22, 24, 26].map((line) =>
        readFileSync(new URL(`../../profiling/v8-log/fixtures/node-${line}.log`, import.meta.url)),
      ),
    },
    isNamedByCaller: true,
    async read(_folder, path) {
      normalizeLog(read(path), '/project');
      return parseLog(read(path), describeBy('/project'));
    },
  },
  {
    name: 'hyperfine',
    files: {
      'hyperfine.json': [
        json({ results: [{ command: 'node', mean: 0.4, stddev: 0.01, times: [0.39, 0.41] }] }),
      ],
    },
    isNamedByCaller: true,
    read: async (_folder, path) => readTimes(read(path)),
  },
  {
    name: 'cachegrind',
    files: {
      'cachegrind.out': [
        Buffer.from(
          'desc: I1 cache:\ncmd: node\nevents: Ir\nfl=a.c\nfn=main\n1 100\nsummary: 12345\n',
        ),
      ],
    },
    isNamedByCaller: true,
    read: async (_folder, path) => readTotal(read(path)),
  },
];

export const DIRECTORIES = [...OWN, ...FOREIGN];

/** @param {unknown} value */
function json(value) {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

/** @param {unknown[]} values */
function lines(values) {
  return Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}

/** @param {Parameters<typeof renderDocument>[0]} document */
function render(document) {
  for (const full of [false, true]) renderTerminal(document, { ...TERMINAL, full });
  renderMarkdown(document);
  renderDocument(document);
}

/** @param {string} path */
function read(path) {
  return readText(path, `'${path}'`, REMEDY);
}

/** @param {string[]} names */
function fixture(...names) {
  return names.map((name) => Buffer.from(readFixture(name)));
}

/**
 * @param {(directory: string) => unknown} fill
 * @returns {Promise<Record<string, Buffer[]>>} the files it leaves, by path
 */
async function collectFiles(fill) {
  const directory = mkdtempSync(join(tmpdir(), 'assay-samples-'));
  try {
    await fill(directory);
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
    return Object.fromEntries(
      paths.map((path) => [relative(directory, path), [readFileSync(path)]]),
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/**
 * Places the first cell of a recorded run, as if a fleet had measured it, with its verdict and the profiles of one process per arm.
 *
 * @param {string} directory
 */
async function placeRun(directory) {
  const { manifest } = recording;
  const [cell] = manifest.question.cells;
  /** @template {{ cellId: string }} Line  @param {Line[]} all */
  const take = (all) => all.filter(({ cellId }) => cellId === cell?.id).slice(0, MAX_OBSERVATIONS);
  const profiles = take(recording.profileObservations).filter(({ process }) => process === 0);
  const artefacts = profiles.flatMap((one) => (one.outcome === 'done' ? one.artefacts : []));
  const fleet = '00000000-0000-4000-8000-000000000000';
  const stored = placeRecording(
    {
      ...recording,
      loadedFiles: [
        {
          formatVersion: FORMAT_VERSION,
          ...{ spec: 'generator', name: 'index.js', path: '/index.js' },
          digest: `sha256:${'0'.repeat(64)}`,
        },
      ],
      hosts: [{ formatVersion: FORMAT_VERSION, host: 'one', environment: manifest.environment }],
      manifest: {
        ...manifest,
        fleet,
        question: { ...manifest.question, cells: cell ? [cell] : [] },
      },
      observations: take(recording.observations),
      memoryObservations: recording.memoryObservations.slice(0, MAX_OBSERVATIONS),
      profileObservations: profiles,
      placementObservations: take(recording.placementObservations),
      files: Object.fromEntries(
        Object.entries(recording.files).filter(([path]) => artefacts.includes(path)),
      ),
    },
    directory,
  );
  const { verdict } = await analyzeRun(stored);
  writeFileSync(join(directory, 'verdict.json'), json(verdict));
}

/** @returns {ObservationDone[]} of the first trial */
function makeTrialObservations() {
  const done = recording.observations.filter(({ outcome }) => outcome === 'done');
  const [{ cellId, number }] = trials;
  return /** @type {ObservationDone[]} */ (done)
    .slice(0, MAX_OBSERVATIONS / 2)
    .map((one) => ({ ...one, cellId, id: `${number}/${one.id}` }));
}

/** Of two placements. */
function makePlacementObservations() {
  return makeTrialObservations().map(({ cellId, outputDigest, measurement }, index) => ({
    formatVersion: FORMAT_VERSION,
    id: `placement/${cellId}/${index}`,
    cellId,
    arm: 'baseline',
    placement: index % 2,
    block: index >> 1,
    position: index % 2,
    attempt: 1,
    startedAtMs: index,
    workerMs: 100,
    outcome: 'done',
    outputDigest,
    measurement,
  }));
}

function makeRememberedResults() {
  const measured = { verdict: 'reproduced', measuredAt: '2026-01-02T03:04:05.678Z' };
  const results = claims.map(({ id }) => ({ id, ...measured, node: '20.20.2', run: 'runs/x' }));
  return { formatVersion: FORMAT_VERSION, results };
}

/**
 * Everything a replay does before it installs packages.
 *
 * @param {string} path
 * @param {string} typed
 */
async function replay(path, typed) {
  const found = await readReport(path, typed);
  checkQuestion(found.question);
  await checkCells(found, findFamily(families, found.question.family), PROJECT.corporaPath);
  return mapVariants(found, findFamily(families, record.question.family), []);
}

/** @returns {Buffer} the record in a page, and some of the page around it */
function cutRecord() {
  const html = renderHtml({ ...recorded, verdict: { ...recorded.verdict, replay: record } });
  const start = html.indexOf(REPLAY_START);
  return Buffer.from(html.slice(start - 200, html.indexOf(REPLAY_END, start) + 200));
}

/** @returns {Job} */
function makeJob() {
  const { settings, corpora } = makeManifest();
  return {
    formatVersion: FORMAT_VERSION,
    id: 'serialize flat/000/1/candidate',
    kind: 'measure',
    family: 'js-bson',
    familyPath: '/assay/experiments/js-bson',
    variant: { spec: 'generator', modulePath: '/assay/generator.js', settings: {} },
    operation: 'serialize',
    corpus: corpora[0],
    settings,
  };
}

function makeWorkerReport() {
  const [{ outputDigest, measurement }] = makeTrialObservations();
  return {
    formatVersion: FORMAT_VERSION,
    jobId: makeJob().id,
    kind: 'measure',
    runtime: { name: 'node', version: '20.20.2', flags: [] },
    outputDigest,
    measurement,
  };
}

function makeLockFile() {
  const installed = { version: '1.0.0', integrity: 'sha512-AA==' };
  const packages = { '': {}, 'node_modules/codec': installed };
  return { name: 'codec@1.0.0', lockfileVersion: 3, packages };
}

/** @returns {object[]} documents of many types */
function documents() {
  return [
    { a: 1, text: 'Grüße', list: [1, 2.5, null, true], nested: { deep: { deeper: {} } } },
    { id: new BSON.ObjectId('0a'.repeat(12)), when: new Date(0), big: BSON.Long.MAX_VALUE },
    { binary: new BSON.Binary(Buffer.from([1, 2])), pattern: /a|b/i, code: new BSON.Code('x()') },
  ];
}

/** @returns {string[]} */
function extendedJson() {
  return documents().map((document) => EJSON.stringify(document, { relaxed: false }));
}

/** @param {string} directory */
async function importOnce(directory) {
  const source = join(directory, 'documents.json');
  writeFileSync(source, extendedJson().join('\n'));
  await importCorpus('mine', source, { directory });
  rmSync(source);
  await prepareCorpus('mine', { directory });
}

/** @param {string} folder  @param {string} path */
async function importAndPrepare(folder, path) {
  const directory = mkdtempSync(join(folder, 'corpora-'));
  try {
    await importCorpus('mine', path, { directory });
    return await prepareCorpus('mine', { directory });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/**
 * @param {string} extension
 * @param {Buffer[]} samples
 * @returns {Directory[]} read as `just convert` does
 */
function profileOf(extension, samples) {
  return [
    {
      name: 'another tool',
      files: { [`a.${extension}`]: samples },
      isNamedByCaller: true,
      async read(folder, path) {
        const sink = { write: () => true };
        const io = /** @type {any} */ ({ workingPath: folder, stdout: sink, stderr: sink });
        await convertProfile([path], { to: 'folded' }, io);
        await convertProfile([path], { to: 'speedscope' }, io);
      },
    },
  ];
}

/** A CPU profile with the tree of V8 until 2017. */
function makeOldProfile() {
  const place = { url: '/x.js', lineNumber: 3, columnNumber: 1, hitCount: 2 };
  const children = [{ id: 2, functionName: 'a', ...place, children: [] }];
  const head = { id: 1, functionName: '(root)', ...place, url: '', children };
  return { head, startTime: 1, endTime: 2, samples: [2, 2], timestamps: [1e6, 1.5e6] };
}

/** Events of a trace of Chrome with one profile in two pieces. */
function makeTrace() {
  const [common, root] = [{ ph: 'P', pid: 7, id: '0x1' }, { functionName: '(root)' }];
  const frame = { functionName: 'a', url: '/x.js', lineNumber: 2, columnNumber: 3 };
  const piece = (/** @type {number} */ ts, /** @type {object} */ data) => {
    return { ...common, name: 'ProfileChunk', tid: 9, ts, args: { data } };
  };
  return [
    { name: 'thread_name', ph: 'M', pid: 7, tid: 8, args: { name: 'main' } },
    { ...common, name: 'Profile', tid: 8, ts: 5, args: { data: { startTime: 5 } } },
    piece(6, {
      cpuProfile: {
        nodes: [
          { id: 1, callFrame: root },
          { id: 2, parent: 1, callFrame: frame },
        ],
      },
    }),
    piece(7, { cpuProfile: { samples: [2, 2, 1] }, timeDeltas: [1, 2, 3], endTime: 20 }),
  ];
}

/** Two stacks in the other form of speedscope. */
function makeSampled() {
  const frames = [{ name: 'a' }, { name: 'b', file: '/x.js', line: 3, col: 4 }];
  const range = { unit: 'milliseconds', startValue: 0, endValue: 3 };
  const sampled = { type: 'sampled', name: 'x', ...range, samples: [[0], [0, 1]], weights: [1, 2] };
  return { shared: { frames }, profiles: [sampled] };
}
