/**
 * Measures a variant against npm:bson@7.3.4 for the tables of CHAMPION.md, in parts of a minute or two, and prints the tables as
 * Markdown:
 *
 *     node scripts/import-elsewhere.js --all
 *     node scripts/champion/measure.js DIRECTORY [--minutes 30] [--only SECTION,…] [--for SECONDS] [--candidate VARIANT]
 *
 * Without a warm-up, `champion` is some forty modules; for `--only cold` build it (`scripts/champion/build.js`) and name the
 * build: `--candidate path:BUILD`. What is in the directory is not measured again: the same command goes on where it
 * stopped. `--for` begins no part that would end later. `--plan` prints the parts and their time, `--print` the tables of what was measured, without measuring.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SECTIONS, planParts } from './parts.js';
import { writeTables } from './tables.js';

/** @import { Part } from './parts.js' */

const ASSAY = fileURLToPath(new URL('../../harness/assay.js', import.meta.url));
const BASELINE = 'npm:bson@7.3.4';
/** How a run ends that is not to go on. */
const ENDS = ['complete', 'budget'];
const SEED = '46';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    only: { type: 'string' },
    for: { type: 'string' },
    candidate: { type: 'string', default: 'champion' },
    plan: { type: 'boolean', default: false },
    print: { type: 'boolean', default: false },
  },
});
const [directory] = positionals;
if (directory === undefined) throw new Error('name the directory of the runs');
const chosen = values.only?.split(',') ?? SECTIONS.map(({ name }) => name);
const sections = SECTIONS.filter(({ name }) => chosen.includes(name));
if (sections.length < chosen.length) {
  throw new Error(`--only takes ${SECTIONS.map(({ name }) => name).join(', ')}`);
}
const parts = planParts(
  sections,
  values.minutes === undefined ? undefined : Number(values.minutes),
);
const missing = parts.filter((part) => !isDone(part));
const minutes = missing.reduce((sum, { seconds }) => sum + seconds, 0) / 60;
console.error(
  `${missing.length} of ${parts.length} parts are missing: at most ${minutes.toFixed(1)} minutes`,
);
if (values.plan) {
  for (const { name, seconds } of missing) console.error(`${name}: ${seconds} s`);
} else if (!values.print) {
  measure(missing);
}
if (!values.plan) {
  const measured = parts.filter((part) => isDone(part)).map(readPart);
  if (measured.length < parts.length)
    console.error(`the tables lack ${parts.length - measured.length} parts`);
  console.log(writeTables(measured, SECTIONS));
}

/** @param {Part[]} wanted */
function measure(wanted) {
  const end = performance.now() + Number(values.for ?? Infinity) * 1000;
  for (const part of wanted) {
    if (performance.now() + part.seconds * 1000 > end) return;
    console.error(`${part.name}: at most ${part.seconds} s`);
    const { status, signal } = spawnSync(
      process.execPath,
      [ASSAY, 'compare', ...listArguments(part)],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    // Of a part with wrong output or a job that failed, the other cells are measured, and the tables name these.
    if (!isDone(part)) {
      throw new Error(
        `${part.name} ended with ${signal ?? `status ${status}`}; the same command goes on`,
      );
    }
  }
}

/** @type {(part: Part) => string[]} */
function listArguments({ section, node, operation, name, budgetSeconds }) {
  const budget = ['--budget', `${budgetSeconds}s`, '--quiet', '--wait'];
  const run = findRun(name);
  if (run !== null) return ['--resume', run, ...budget];
  return [
    ...[BASELINE, values.candidate, '--op', operation, '--corpus', section.corpora.join(',')],
    ...['--family', 'js-bson', '--node', node, '--processes', String(section.processes)],
    ...(section.flags ?? []),
    ...['--explain', 'none', '--placements', '0', '--seed', SEED],
    ...['--out', folderOf(name), ...budget],
  ];
}

/** @type {(name: string) => string} directory of a part, of this candidate alone */
function folderOf(name) {
  return join(directory, values.candidate.replaceAll(/[^\w.-]+/g, '-'), name);
}

/** @type {(name: string) => string | null} the run of a part, which has a directory for itself */
function findRun(name) {
  const folder = folderOf(name);
  const [run] = existsSync(folder) ? readdirSync(folder) : [];
  return run === undefined ? null : join(folder, run);
}

/** @param {Part} part */
function isDone({ name }) {
  const run = findRun(name);
  if (run === null || !existsSync(join(run, 'verdict.json'))) return false;
  const sessions = readFileSync(join(run, 'sessions.ndjson'), 'utf8').trim().split('\n');
  return ENDS.includes(JSON.parse(String(sessions.at(-1))).ended);
}

/** @param {Part} part */
function readPart({ section, node, operation, name }) {
  const run = /** @type {string} */ (findRun(name));
  const verdict = JSON.parse(readFileSync(join(run, 'verdict.json'), 'utf8'));
  return { section, node, operation, verdict };
}
