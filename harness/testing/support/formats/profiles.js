import { readFileSync } from 'node:fs';
import { convertProfile } from '../../../cli/commands/convert.js';
import { differentiate } from '../../../profiling/profiles/differentiate.js';
import { exportFolded } from '../../../profiling/formats/folded.js';
import { exportSpeedscope } from '../../../profiling/formats/speedscope.js';
import { readFixture, readProfiles } from '../../../profiling/profiles/fixtures/read-fixture.js';
import { importPerfScript, resolvePerfMap } from '../../../profiling/formats/perf.js';
import { readText } from '../../../lib/files.js';
import { readTotal } from '../../../profiling/recorders/instructions.js';
import { readTimes } from '../../../profiling/recorders/whole-process.js';
import { parseLog } from '../../../profiling/v8-log/log-reader.js';
import { normalizeLog } from '../../../profiling/v8-log/normalize-log.js';

/** @import { FileFormat } from './types.ts' */

const PROJECT_PATH = '/project';
const PERF = 'perf-linked-list-node-20';
const PERF_WINDOW = { startMs: 22751172.107642, endMs: 22751684.931753 };
const V8_LOGS = ['node-20.log', 'node-22.log', 'node-24.log', 'node-26.log'];

const recorded = readProfiles()['linked-list-flat'];
const HYPERFINE = JSON.stringify({
  results: [{ command: 'node', mean: 0.4, stddev: 0.01, times: [0.39, 0.41] }],
});
const CACHEGRIND =
  'desc: I1 cache:\ncmd: node\nevents: Ir\nfl=a.c\nfn=main\n1 100\nsummary: 12345\n';

/** @type {FileFormat[]} what recorders and other tools leave */
export const formats = [
  ...convertible('cpuprofile', ['generator-deep.cpuprofile', 'linked-list-flat.cpuprofile']),
  ...convertible('heapprofile', ['generator-flat.heapprofile']),
  {
    name: 'a .speedscope.json',
    fileName: 'a.speedscope.json',
    samples: [
      Buffer.from(JSON.stringify(exportSpeedscope(recorded, 'x'))),
      Buffer.from(JSON.stringify(makeSampled())),
    ],
    isNamedByCaller: true,
    read: convertBoth,
  },
  {
    name: 'folded stacks',
    fileName: 'a.folded',
    samples: [Buffer.from(exportFolded(recorded))],
    isNamedByCaller: true,
    read: convertBoth,
  },
  {
    name: 'text of perf script',
    fileName: 'perf.txt',
    samples: [Buffer.from(readFixture(`${PERF}.txt`))],
    isNamedByCaller: true,
    async read(_folder, path) {
      return importPerf(readText(path, `'${path}'`, 'record it again'), readFixture(`${PERF}.map`));
    },
  },
  {
    name: 'a map of perf',
    fileName: 'perf.map',
    samples: [Buffer.from(readFixture(`${PERF}.map`))],
    isNamedByCaller: true,
    async read(_folder, path) {
      return importPerf(readFixture(`${PERF}.txt`), readText(path, `'${path}'`, 'record it again'));
    },
  },
  {
    name: 'a log of V8',
    fileName: 'v8.log',
    samples: V8_LOGS.map((name) =>
      readFileSync(new URL(`../../../profiling/v8-log/fixtures/${name}`, import.meta.url)),
    ),
    isNamedByCaller: true,
    async read(_folder, path) {
      const text = readText(path, `'${path}'`, 'record it again');
      normalizeLog(text, PROJECT_PATH);
      return parseLog(text, PROJECT_PATH);
    },
  },
  {
    name: 'an export of hyperfine',
    fileName: 'hyperfine.json',
    samples: [Buffer.from(HYPERFINE)],
    isNamedByCaller: true,
    async read(_folder, path) {
      return readTimes(readText(path, `'${path}'`, 'record it again'));
    },
  },
  {
    name: 'a file of cachegrind',
    fileName: 'cachegrind.out',
    samples: [Buffer.from(CACHEGRIND)],
    isNamedByCaller: true,
    async read(_folder, path) {
      return readTotal(readText(path, `'${path}'`, 'record it again'));
    },
  },
];

/**
 * @param {string} ending
 * @param {string[]} names of fixtures
 * @returns {FileFormat[]}
 */
function convertible(ending, names) {
  const samples = names.map((name) => Buffer.from(readFixture(name)));
  return [
    {
      name: `a .${ending}`,
      fileName: `a.${ending}`,
      samples,
      isNamedByCaller: true,
      read: convertBoth,
    },
  ];
}

/**
 * As `just convert FILE --to …` does.
 *
 * @param {string} folder
 * @param {string} path
 */
async function convertBoth(folder, path) {
  const io = /** @type {any} */ ({ workingPath: folder, stdout: { write: () => true } });
  await convertProfile([path], { to: 'folded' }, io);
  await convertProfile([path], { to: 'speedscope' }, io);
}

/**
 * @param {string} script
 * @param {string} map
 */
function importPerf(script, map) {
  const settings = { window: PERF_WINDOW, frequencyHz: 1000, projectPath: PROJECT_PATH };
  const profile = importPerfScript(resolvePerfMap(script, map), settings);
  return differentiate(recorded, profile);
}

function makeSampled() {
  const frames = [{ name: 'a' }, { name: 'b', file: '/x.js', line: 3, col: 4 }];
  const range = { unit: 'milliseconds', startValue: 0, endValue: 3 };
  const profile = { type: 'sampled', name: 'x', ...range, samples: [[0], [0, 1]], weights: [1, 2] };
  return { shared: { frames }, profiles: [profile] };
}
