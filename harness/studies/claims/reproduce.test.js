import { makeClaim as makeAnyClaim } from '../../../reports/content/test-support/make-reproduction.js';
import { openSession } from '../../cli/session.js';
import { validate } from '../../formats/schemas.js';
import { PROJECT } from '../../lib/project.js';
import { findFamily, listFamilies } from '../../variants/families.js';
import { groupClaims } from './claims.js';
import { runStudy } from '../study.js';
import { makeReproductionStudy, prepareGroups, separateClients } from './reproduce.js';
import { beginReproduction } from './reproduction.js';
import { scriptJobs } from '../../testing/support/scripted-jobs.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

/** @import { Claim, Reproduction } from '../../formats/types.ts' */
/** @import { FamilyClaim } from './claims.js' */

const families = await listFamilies(PROJECT.experimentsPath);
const path = makeTestDirectory('reproduce-test');

/**
 * @param {string} name
 * @param {Partial<Claim>} changes
 * @returns {FamilyClaim}
 */
const makeClaim = (name, changes) => ({ ...makeAnyClaim(name, changes), family: 'js-bson' });

/**
 * @param {FamilyClaim[]} claims
 * @param {AbortSignal} [signal]
 * @param {import('../../run/jobs.js').RunJob} [runJob]
 */
async function reproduce(claims, signal = new AbortController().signal, runJob = scriptJobs()) {
  const lines = /** @type {string[]} */ ([]);
  const sink = { write: (/** @type {string} */ text) => lines.push(text) };
  const io = { stdout: sink, stderr: sink, environment: {}, workingPath: path, signal, runJob };
  const sources = [{ id: 'TICKET-1', title: 't', reference: 'r', conditions: 'c' }];
  const command = 'just reproduce TICKET-1';
  const record = beginReproduction({ claims, sources, seed: 1, sandbox: false, command });
  const contextOf = () => ({
    families,
    family: findFamily(families, 'js-bson'),
    runsPath: path,
    seed: 1,
    commands: {
      compare: () => 'just compare a b',
      reproduce: (/** @type {string[]} */ ids) => `just reproduce ${ids.join(' ')}`,
    },
    session: { ...openSession(io, {}), recorders: [], runJob },
    io,
  });
  const preparations = await prepareGroups(groupClaims(claims), contextOf);
  const study = makeReproductionStudy({ claims, preparations, budgetMs: 1000, contextOf });
  /** @type {Reproduction[]} */
  const saved = [];
  const { state, results: outcomes } = await runStudy(study, record, {
    signal,
    save: (current) => void saved.push(current),
    say: (line) => lines.push(`${line}\n`),
  });
  return { outcomes, saved, reproduction: state, text: lines.join('') };
}

test('claims about clients are settled apart from those about loops', async () => {
  const claims = ['serialize', 'find-many', 'http-find'].map((operation) =>
    makeClaim(operation, { operation }),
  );
  const family = findFamily(families, 'js-bson');
  const groups = await separateClients(groupClaims(claims), () => family);
  expect(groups.map((group) => group.claims.map(({ operation }) => operation))).toEqual([
    ['serialize'],
    ['find-many', 'http-find'],
  ]);
});

test('a group that cannot be prepared has the reason, and the next one runs', async () => {
  const claims = ['no-such-variant', 'path:not-there'].map((candidate, index) =>
    makeClaim(['one', 'two'][index], { candidate }),
  );
  const { outcomes, text } = await reproduce(claims);
  expect(outcomes.map(({ hasFailed }) => hasFailed)).toEqual([true, true]);
  const results = outcomes.flatMap((outcome) => outcome.results);
  expect(results.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['TICKET-1/one', 'cannot-run'],
    ['TICKET-1/two', 'cannot-run'],
  ]);
  expect(results[0]).toMatchObject({ claimed: 2, measured: null });
  expect(results[0]?.reason).toMatch(/no variant 'no-such-variant'/);
  expect(text).toMatch(/1 of 2: .*\nfailed: .*no-such-variant/);
});

test('results are stored after every group in the published format', async () => {
  const never = makeClaim('never', { cannotRun: 'needs a server' });
  const { saved, reproduction } = await reproduce([
    makeClaim('one', { candidate: 'no-such-variant' }),
    never,
  ]);
  const [written] = saved;
  validate('reproduction', { ...written, id: 'reproduce-1' });
  expect(written).toMatchObject({ ended: 'complete', sources: [{ id: 'TICKET-1' }] });
  expect(written.judged).toHaveLength(2);
  expect(written.judged[1].result).toMatchObject({
    verdict: 'cannot-run',
    reason: 'needs a server',
  });
  expect(reproduction.judged).toEqual(written.judged);
});

test('an interruption leaves out the groups that follow', async () => {
  const claims = [makeClaim('one', {})];
  const { outcomes, reproduction } = await reproduce(claims, AbortSignal.abort());
  expect(outcomes).toEqual([]);
  expect(reproduction).toMatchObject({ ended: 'interrupted', judged: [] });
});

test('a claim that an interruption leaves inconclusive has no result, so that it is measured again', async () => {
  const interrupts = new AbortController();
  let left = 8;
  const onJob = () => void (left-- === 0 && interrupts.abort());
  const claims = [makeClaim('one', {})];
  const { outcomes, reproduction } = await reproduce(
    claims,
    interrupts.signal,
    scriptJobs({ onJob }),
  );
  expect(outcomes).toMatchObject([{ results: [] }]);
  expect(reproduction).toMatchObject({ ended: 'interrupted', judged: [] });
});
