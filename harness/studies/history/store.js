/** The result store: a directory with one file for each recorded comparison, named after its content. */

import { PROGRAM } from '../../lib/program.js';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { group } from 'd3-array';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { validate } from '../../formats/schemas.js';
import { FormatError, UsageError, messageOf } from '../../lib/errors.js';
import { escapeJson } from '../../lib/escape.js';
import { omitUndefined } from '../../lib/records.js';
import { makeDirectory, parseJson, readText, writeAtomic } from '../../lib/files.js';
import { collectCells } from '../../stats/cell/samples.js';
import { countPerVariant, pairOf, sharedIdOf } from '../../stats/plan.js';
import { contractViolations, ratioOf } from '../../stats/verdicts.js';

/** @import { Arm, Breaches, CellComparison, ComparisonRecord, Manifest, RecordedProcesses, Verdict } from '../../formats/types.ts' */
/** @import { CellRecord } from '../../stats/cell/samples.js' */
/** @import { StoredRun } from '../../run/store.js' */

const OWNER = Object.freeze({
  name: 'the result store',
  resume: `record the run with: ${PROGRAM} history --add RUN`,
});
const READ_REMEDY = 'restore the file from a copy, or remove it';
const FILE_NAME = /^[0-9a-f]{64}\.json$/;

/**
 * @param {Pick<StoredRun, 'manifest' | 'observations'> & { verdict: Verdict }} run that timed something
 * @returns {ComparisonRecord} the same for the same run
 */
export function makeRecord({ manifest, observations, verdict }) {
  const { question, expectedDigests, command, instrument, settings, contracts } = manifest;
  const isOfSeveralHosts = manifest.fleet !== undefined || manifest.merged === true;
  const breaches = listBreaches(contracts);
  return {
    formatVersion: FORMAT_VERSION,
    command,
    ended: verdict.ended,
    seconds: Math.round(verdict.timing.wallMs) / 1000,
    ...omitUndefined({ severalHosts: isOfSeveralHosts || undefined, instrument }),
    settings,
    identity: verdict.replay,
    ...omitUndefined({ breaches: breaches.length === 0 ? undefined : breaches }),
    cells: describeCells(verdict.cells, question),
    processes: listProcesses(collectCells(question, observations, expectedDigests), question),
  };
}

/** @type {(contracts: Manifest['contracts']) => Breaches[]} */
function listBreaches(contracts) {
  const failed = contractViolations(contracts, []);
  return [...group(failed, ({ spec }) => spec)].map(([variant, rows]) => ({
    variant,
    rows: rows.map(({ row }) => row.name),
  }));
}

/**
 * @param {CellComparison[]} cells
 * @param {Parameters<typeof pairOf>[0]} question
 * @returns {ComparisonRecord['cells']}
 */
export function describeCells(cells, question) {
  return cells.map((comparison) => describeCell(comparison, question));
}

/** @type {(comparison: CellComparison, question: Parameters<typeof pairOf>[0]) => ComparisonRecord['cells'][number]} */
function describeCell(comparison, question) {
  const { cell, verdict, effect, control, baselineNs, candidateNs, processes } = comparison;
  const { operation, corpus, runtime } = cell;
  const { baseline, candidate } = pairOf(question, cell);
  const ratio = ratioOf(comparison);
  const isKnown = effect?.standardError !== undefined;
  return {
    cellId: sharedIdOf(cell),
    operation,
    corpus,
    ...omitUndefined({ runtime }),
    baseline,
    candidate,
    verdict,
    ratio,
    logRatio: ratio === null ? null : Math.log(ratio.estimate),
    standardError: isKnown ? (effect.standardError ?? null) : null,
    degreesOfFreedom: isKnown ? (effect.degreesOfFreedom ?? null) : null,
    controlRatio: control?.ratio ?? null,
    ...omitUndefined({ placement: describePlacement(comparison) }),
    processes: countPerVariant(processes),
    baselineNs,
    candidateNs,
  };
}

/** @type {(comparison: CellComparison) => ComparisonRecord['cells'][number]['placement']} */
function describePlacement({ placement }) {
  const { ratio, standardError, degreesOfFreedom } = placement ?? {};
  if (ratio === undefined || standardError === undefined || degreesOfFreedom === undefined) {
    return undefined;
  }
  return { logRatio: Math.log(ratio.estimate), standardError, degreesOfFreedom };
}

/**
 * @param {CellRecord[]} records
 * @param {Parameters<typeof pairOf>[0]} question
 * @returns {RecordedProcesses[]} baseline and control once for all candidates that share them
 */
function listProcesses(records, question) {
  /** @type {Map<string, RecordedProcesses>} */
  const known = new Map();
  for (const { cell, arms } of records) {
    const { baseline, candidate } = pairOf(question, cell);
    for (const [arm, jobs] of Object.entries(arms)) {
      const variant = arm === 'candidate' ? candidate : baseline;
      const figuresNs = jobs.flatMap(({ logFigure }) =>
        logFigure === null ? [] : Number(Math.exp(logFigure).toPrecision(5)),
      );
      const cellId = sharedIdOf(cell);
      const key = JSON.stringify([cellId, arm, variant]);
      // Candidates that needed more processes share more of the baseline's.
      if (figuresNs.length > (known.get(key)?.figuresNs.length ?? 0)) {
        known.set(key, { cellId, arm: /** @type {Arm} */ (arm), variant, figuresNs });
      }
    }
  }
  return [...known.values()];
}

/**
 * Adds a record. Recording the same comparison again changes nothing, and writers do not wait for each other.
 *
 * @param {string} path of the store, which is made if there is none
 * @param {ComparisonRecord} record
 * @returns {string} absolute path of its file
 * @throws {import('../../lib/errors.js').MachineError} when it cannot be written
 */
export function addRecord(path, record) {
  makeDirectory(path, 'free some space, or name another directory');
  const text = `${escapeJson(JSON.stringify(record, sortKeys))}\n`;
  const file = join(path, `${digest(text)}.json`);
  if (!existsSync(file)) writeAtomic(file, text, OWNER);
  return file;
}

/**
 * So that equal records are the same text.
 *
 * @param {string} _key
 * @param {unknown} value
 */
function sortKeys(_key, value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** @param {string} text */
function digest(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** @typedef {{ file: string, record: ComparisonRecord }} StoredRecord */

/**
 * Reads the record of every run. What is not one, or is damaged, is left out and noted.
 *
 * @param {string} path of the store
 * @returns {{ records: StoredRecord[], notes: string[] }} the oldest first; none if there is no store
 * @throws {UsageError} when it is a file
 */
export function readRecords(path) {
  /** @type {StoredRecord[]} */
  const records = [];
  /** @type {string[]} */
  const problems = [];
  for (const name of listRecordFiles(path)) {
    try {
      records.push({ file: join(path, name), record: readRecord(join(path, name)) });
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  const [first, ...others] = problems;
  return {
    records: selectLast(records).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
    notes:
      first === undefined
        ? []
        : [`not read: ${first}${others.length === 0 ? '' : `, and ${others.length} more`}`],
  };
}

/**
 * A run that its budget cut short may be recorded, resumed and recorded again. Its last record has all processes of the
 * earlier ones, and the longest time.
 *
 * @param {StoredRecord[]} records
 * @returns {StoredRecord[]} one for each run
 */
function selectLast(records) {
  const runs = group(records, ({ record: { identity } }) =>
    JSON.stringify([identity.createdAt, identity.runId]),
  );
  return [...runs.values()].map((own) =>
    own.reduce((last, one) => (one.record.seconds > last.record.seconds ? one : last)),
  );
}

/**
 * @param {string} path of the store
 * @returns {string[]} names of the files that are records
 * @throws {UsageError} when it is a file
 */
function listRecordFiles(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) {
    throw new UsageError(`the result store '${path}' is not a directory`, {
      remedy: 'name the directory that has its files',
    });
  }
  return readdirSync(path).filter((name) => FILE_NAME.test(name));
}

/** @param {StoredRecord} stored */
function keyOf({ record: { identity }, file }) {
  return `${identity.createdAt} ${file}`;
}

/**
 * @param {string} file
 * @returns {ComparisonRecord}
 * @throws {FormatError} when it is damaged
 */
function readRecord(file) {
  const text = readText(file, `'${file}'`, READ_REMEDY);
  if (!file.endsWith(`${digest(text)}.json`)) {
    throw new FormatError(`'${file}' does not have the content that its name says`, {
      remedy: READ_REMEDY,
    });
  }
  const value = parseJson(text, `'${file}'`, READ_REMEDY);
  validate('comparison-record', value, `'${file}'`, READ_REMEDY);
  return /** @type {ComparisonRecord} */ (value);
}
