import { makeManifest } from '../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { validate } from '../formats/schemas.js';
import { withCandidates } from '../stats/plan.js';
import { seedGenerator } from '../stats/random.js';
import { simulateObservations } from '../testing/simulation/runs.js';
import { makeWhole } from '../studies/shards/test-support/make-shards.js';
import { sumSessions } from './sessions.js';
import { buildVerdict } from './verdict.js';

/** @import { Verdict } from '../formats/types.ts' */

const WHOLE = makeWhole();
const TOTALS = sumSessions(WHOLE);

test('the replay record of a run has the noise of its host', async () => {
  const hostNoise = { stealShare: 0.04, othersShare: 0.2, throttledMs: 0 };
  const run = { ...WHOLE, manifest: makeManifest(), observations: [] };
  const { replay } = buildVerdict({ ...run, totals: { ...TOTALS, ended: 'budget', hostNoise } });
  expect(replay.hostNoise).toEqual(hostNoise);
  expect(() => validate('replay', replay)).not.toThrow();
});

/** Measured in blocks of four, up to 48 processes per variant. */
const JOBS_PER_BLOCK = 8;
const CELL = WHOLE.manifest.question.cells[2].id;

/**
 * Sessions one after another, each analyzed with the unplanned looks of those before.
 *
 * @param {number[]} blockCounts at the end of each session
 * @returns {Verdict} of the last one
 */
function analyzeSessions(blockCounts) {
  /** @type {Verdict[]} */
  const verdicts = [];
  const run = { ...WHOLE, sessions: [...WHOLE.sessions] };
  for (const blocks of blockCounts) {
    const observations = WHOLE.observations.filter(
      ({ block, position }) => block + position / JOBS_PER_BLOCK < blocks,
    );
    const ended = /** @type {const} */ ('interrupted');
    const verdict = buildVerdict({ ...run, observations, totals: { ...sumSessions(run), ended } });
    verdicts.push(verdict);
    const { hostNoise, interimLooks = {} } = verdict;
    const end = { startedAtMs: verdicts.length, ended, wallMs: 1, hostNoise, interimLooks };
    run.sessions.push({ formatVersion: FORMAT_VERSION, event: 'ended', ...end });
  }
  return /** @type {Verdict} */ (verdicts.at(-1));
}

/** @param {Verdict} verdict */
function widthOf({ cells }) {
  const ratio = cells.find(({ cell }) => cell.id === CELL)?.effect?.ratio;
  return (ratio?.high ?? NaN) / (ratio?.low ?? NaN);
}

test('a run analyzed only at its planned looks has no unplanned ones', () => {
  expect(analyzeSessions([4, 8]).interimLooks?.[CELL]).toBeUndefined();
});

test('unplanned looks are kept from session to session', () => {
  const verdict = analyzeSessions([5, 7, 8]);
  validate('verdict', verdict);
  expect(verdict.interimLooks?.[CELL]).toEqual([20, 28]);
});

test('each unplanned look makes the final interval a little wider', () => {
  const widths = [[8], [5, 8], [5, 7, 8]].map((sessions) => widthOf(analyzeSessions(sessions)));
  expect(widths[1]).toBeGreaterThan(widths[0]);
  expect(widths[2]).toBeGreaterThan(widths[1]);
});

test('analyzing the same observations again is not another look', () => {
  expect(analyzeSessions([5, 5, 8])).toEqual(analyzeSessions([5, 8]));
});

test('a verdict on too few processes is not a look', () => {
  expect(analyzeSessions([0.5, 8]).interimLooks?.[CELL]).toBeUndefined();
});

test('the verdicts of a ranking and its replay record say how variants compare with the fastest other', () => {
  const candidates = ['a', 'b', 'c'];
  const flat = { id: 'serialize flat', operation: 'serialize', corpus: 'flat' };
  const cells = withCandidates([flat], candidates);
  const made = makeManifest({ cells, baseline: 'a', candidates, rank: true });
  const [variant] = made.variants.candidates;
  const variants = {
    ...made.variants,
    candidates: candidates.map((spec) => ({ ...variant, spec })),
  };
  const simulated = cells.map((cell, index) => ({
    ...{ cell, baselineNs: 12_000, processes: 16 },
    ratio: [1.4, 1, 1.2][index],
  }));
  const settings = { noise: /** @type {const} */ ('normal'), spread: 0.01, rank: true };
  const verdict = buildVerdict({
    ...WHOLE,
    manifest: { ...made, variants },
    observations: simulateObservations(
      simulated,
      { ...settings, outputDigest: made.expectedDigests['serialize flat'] },
      seedGenerator(1),
    ),
    totals: TOTALS,
  });
  validate('verdict', verdict);
  expect(verdict.cells.map(({ standing }) => standing?.class)).toEqual([
    'not-the-best',
    'best',
    'not-the-best',
  ]);
  expect(verdict.replay.results).toEqual(
    verdict.cells.map(({ cell, standing }, index) => ({
      cellId: cell.id,
      verdict: ['slower', 'faster', 'slower'][index],
      ratio: standing?.ratio,
    })),
  );
});

test('a candidate that breaks the contract refuses its own cells, a baseline all', () => {
  const candidates = ['linked-list', 'indexed'];
  const flat = { id: 'serialize flat', operation: 'serialize', corpus: 'flat' };
  const made = makeManifest({ cells: withCandidates([flat], candidates), candidates });
  const [variant] = made.variants.candidates;
  const variants = {
    ...made.variants,
    candidates: candidates.map((spec) => ({ ...variant, spec })),
  };
  const row = {
    ...{ name: 'cycles', theme: 'limits', promise: 'cycles are refused', detail: null },
    outcome: /** @type {const} */ ('fails'),
  };
  const judge = (/** @type {string} */ name) =>
    buildVerdict({
      ...WHOLE,
      manifest: { ...made, variants, contracts: { [name]: [row] } },
      observations: [],
      totals: { ...TOTALS, ended: 'refused' },
    }).cells.map(({ verdict }) => verdict);
  expect(judge('indexed')).toEqual(['inconclusive', 'refused']);
  expect(judge('linked-list node@22.11.0')).toEqual(['refused', 'inconclusive']);
  expect(judge('generator')).toEqual(['refused', 'refused']);
});

test('outputs that differ once the code is hot say which variants differ, and whether in the same way', () => {
  const { question, variants } = WHOLE.manifest;
  const specs = [variants.baseline.spec, variants.candidates[0].spec];
  /** @type {(digestOf: (arm: string) => string, faults?: string[]) => Verdict['differences']} */
  const differ = (digestOf, faults) => {
    const observations = WHOLE.observations.map((each) =>
      each.cellId === CELL && each.outcome === 'done'
        ? { ...each, outputDigest: digestOf(each.arm), ...(faults && { faults }) }
        : each,
    );
    const verdict = buildVerdict({ ...WHOLE, observations, totals: TOTALS });
    validate('verdict', verdict);
    expect(verdict.cells.find(({ cell }) => cell.id === CELL)?.verdict).toBe('refused');
    return verdict.differences;
  };
  const digests = ['a', 'b'].map((letter) => `sha256:${letter.repeat(64)}`);
  expect(question.cells.map(({ id }) => id)).toContain(CELL);
  const alike = differ(() => digests[0]);
  expect(alike.map(({ variant, sameAs }) => [variant, sameAs]).sort()).toEqual(
    [
      [specs[0], [specs[1]]],
      [specs[1], [specs[0]]],
    ].sort(),
  );
  const apart = differ((arm) => digests[arm === 'candidate' ? 0 : 1]);
  expect(apart.map(({ sameAs }) => sameAs)).toEqual([undefined, undefined]);
  const own = WHOLE.manifest.expectedDigests[CELL];
  expect(differ((arm) => (arm === 'candidate' ? digests[0] : own))).toMatchObject([
    { variant: specs[1], cellId: CELL, found: 'another output after the last batch' },
  ]);
  expect(differ((arm) => (arm === 'candidate' ? digests[0] : own), ['a fault'])).toMatchObject([
    { variant: specs[1], found: 'a fault' },
  ]);
});
