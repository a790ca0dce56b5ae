import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @import { CellComparison, Observation, Verdict } from '../../formats/types.ts' */

/**
 * The results of a run.
 *
 * @typedef {object} Outcome
 * @property {Verdict} verdict
 * @property {Observation[]} observations
 * @property {string[]} files in its directory, at any depth
 */

/**
 * @param {string} path of a completed run
 * @returns {Outcome}
 */
export function readOutcome(path) {
  const lines = readFileSync(join(path, 'observations.ndjson'), 'utf8').trimEnd().split('\n');
  return {
    verdict: JSON.parse(readFileSync(join(path, 'verdict.json'), 'utf8')),
    observations: lines.map((line) => JSON.parse(line)),
    files: readdirSync(path, { recursive: true }).map(String).sort(),
  };
}

/**
 * Compares a run that was killed and resumed with an undisturbed one of the same seed.
 *
 * @param {Outcome} found
 * @param {Outcome} expected
 * @returns {string[]} unexpected differences
 */
export function listDifferences(found, expected) {
  return [
    ...(found.verdict.ended === 'complete' ? [] : [`ended as ${found.verdict.ended}`]),
    ...compareFiles(found.files, expected.files),
    ...compareFigures(found.observations, expected.observations),
    ...expected.verdict.cells.flatMap((cell, index) =>
      compareCell(found.verdict.cells[index], cell, found.verdict.interimLooks?.[cell.cell.id]),
    ),
  ];
}

/**
 * @param {string[]} found
 * @param {string[]} expected
 */
function compareFiles(found, expected) {
  const extra = found.filter((name) => !expected.includes(name)).map((name) => `left '${name}'`);
  const missing = expected.filter((name) => !found.includes(name));
  return [...extra, ...missing.map((name) => `has no '${name}'`)];
}

/**
 * Checks that every job is measured once, with the same figures.
 *
 * @param {Observation[]} found
 * @param {Observation[]} expected
 */
function compareFigures(found, expected) {
  const problems = [];
  const figures = new Map(
    expected.map((observation) => [observation.jobId, describeFigures(observation)]),
  );
  const seen = new Set();
  for (const observation of found) {
    const { jobId } = observation;
    if (seen.has(jobId)) problems.push(`${jobId} is recorded twice`);
    seen.add(jobId);
    if (describeFigures(observation) !== figures.get(jobId)) problems.push(`${jobId} differs`);
  }
  const missing = expected.filter(({ jobId }) => !seen.has(jobId));
  return [...problems, ...missing.map(({ jobId }) => `${jobId} is missing`)];
}

/** @param {Observation} observation */
function describeFigures(observation) {
  if (observation.outcome === 'failed') return `failed: ${observation.failure.detail}`;
  return observation.measurement.batchNsPerDocument.join();
}

/**
 * A verdict given at an interruption is one more look, so the interval is slightly wider than that of an
 * undisturbed run.
 *
 * @param {CellComparison | undefined} found
 * @param {CellComparison} expected
 * @param {number[]} [interimLooks]
 * @returns {string[]}
 */
function compareCell(found, expected, interimLooks = []) {
  const { id } = expected.cell;
  const [foundFacts, expectedFacts] = [found, expected].map((cell) =>
    JSON.stringify([cell?.cell.id, cell?.verdict, cell?.processes, cell?.effect?.ratio.estimate]),
  );
  if (foundFacts !== expectedFacts) return [`${id}: ${foundFacts} instead of ${expectedFacts}`];
  const [inner, outer] = [expected, found].map((cell) => cell?.effect?.ratio);
  if (inner === undefined || outer === undefined) return [];
  const isRight =
    interimLooks.length === 0
      ? outer.low === inner.low && outer.high === inner.high
      : outer.low < inner.low && outer.high > inner.high;
  if (isRight) return [];
  const looks = interimLooks.length === 0 ? 'without an interim look' : `looks at ${interimLooks}`;
  return [`${id}: ${outer.low}–${outer.high} against ${inner.low}–${inner.high}, ${looks}`];
}
