import { makeManifest } from '../../../reports/fixtures/build.js';
import { scriptJobs } from '../../testing/support/scripted-jobs.js';
import { measureCosts } from './measure-costs.js';
import { makeCalibration } from './test-support/make-calibration.js';

const manifest = makeManifest();
const [cell] = manifest.question.cells;
const cost = /** @type {const} */ ('allocation');
const [known] = makeCalibration().calibration.costs;
const earlier = [{ ...known, cost, cellId: cell.id, rounds: 60 }];
const failure = { reason: 'exit-status', detail: 'exited with 1', lastLines: [] };

/**
 * Verifies a known cost by scripted jobs.
 *
 * @param {number} [failing] number of the job that fails
 */
function verify(failing) {
  /** @type {{ job: any, worker?: string[] }[]} */
  const started = [];
  const runJob = scriptJobs({
    onJob: (job, how) => started.push({ job, ...how }),
    outcome: () => /** @type {any} */ (started.length === failing ? { failure } : undefined),
  });
  const { baseline } = manifest.variants;
  const trialContext = /** @type {any} */ ({
    ...{ manifest, family: { name: 'js-bson', path: '/js-bson' }, runJob: { default: runJob } },
    withCost: async (/** @type {number} */ rounds) => ({ ...baseline, settings: { rounds } }),
    costAxes: { allocation: 'garbage' },
  });
  const asked = { mode: /** @type {const} */ ('default'), cell, cost, forMs: 60_000, earlier };
  const { signal } = new AbortController();
  return { started, measured: measureCosts(asked, trialContext, { signal }) };
}

test('a cost is verified by plain, alternating and collecting processes', async () => {
  const { started, measured } = verify();
  expect(await measured).toMatchObject([{ cost, rounds: 60, processes: 6 }]);
  const [plain, alternating, collecting] = [12, 18, 30].map((end, index, ends) =>
    started.slice(ends[index - 1] ?? 0, end),
  );
  expect(started).toHaveLength(30);
  expect(plain[0]).toEqual({ job: expect.objectContaining({ id: `plain/${cell.id}/0` }) });
  expect(alternating[1].worker?.slice(1)).toEqual(['garbage', '1', '20', '60']);
  expect(alternating[1].job).toMatchObject({ settings: { batchCount: 80, batchMs: 3 } });
  const rounds = collecting.map(({ job }) => job.variant.settings.rounds);
  expect(rounds).toEqual(Array(6).fill([20, 60]).flat());
});

test('a job that fails is the last', async () => {
  const { started, measured } = verify(3);
  await expect(measured).rejects.toThrow('a job of the calibration failed: exited with 1');
  expect(started).toHaveLength(3);
});
