import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { openArtefacts, sendArtefacts } from './artefacts.js';
import { MAX_OBJECT_BYTES } from './broker.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

/** @import { FleetProfiles, PlannedProfileJob, ProfileObservation } from '../../formats/types.ts' */

const directory = makeTestDirectory('artefacts');
const [host, submitter] = ['host', 'submitter'].map((name) => join(directory, name));
beforeAll(() => {
  for (const path of [host, submitter]) mkdirSync(join(path, 'artefacts'), { recursive: true });
});

const from = { formatVersion: FORMAT_VERSION, fleetId: randomUUID(), host: 'h', blockId: 'b' };
const digest = `sha256:${'0'.repeat(64)}`;

/** @type {(arm: 'baseline' | 'candidate') => PlannedProfileJob} */
const planJob = (arm) => ({ id: arm, recorder: 'r', cellId: 'serialize flat', arm, process: 0 });
const jobs = [planJob('baseline'), planJob('candidate')];
const baseOf = (/** @type {{ arm: string }} */ { arm }) => `artefacts/${arm}`;

/** @type {(job: PlannedProfileJob, artefacts: string[]) => ProfileObservation} */
function observe(job, artefacts) {
  const times = { attempt: 1, startedAtMs: 1, workerMs: 2 };
  const common = { formatVersion: FORMAT_VERSION, ...job, ...times };
  return { ...common, outcome: 'done', exercise: null, artefacts };
}

/** An object store. */
function openStore() {
  /** @type {Map<string, Uint8Array>} */
  const objects = new Map();
  return {
    objects,
    async put(/** @type {Uint8Array} */ bytes) {
      const object = String(objects.size);
      objects.set(object, bytes);
      return { object, digest };
    },
    broker: {
      getObject: async (/** @type {string} */ _, /** @type {{ object: string }} */ { object }) =>
        objects.get(object) ?? 'it is not what the host has stored',
      async deleteObject(/** @type {string} */ _, /** @type {string} */ object) {
        if (!objects.delete(object)) throw new Error('there is none');
      },
    },
  };
}

/** @type {(store: ReturnType<typeof openStore>, observations: ProfileObservation[]) => Promise<FleetProfiles>} */
async function send({ put }, observations) {
  const sent = await sendArtefacts(observations, host, put);
  return { kind: 'profiles', ...from, ...sent, wallMs: 3 };
}

test('artefacts are at the submitter where they were on the host, and then deleted', async () => {
  const store = openStore();
  const paths = ['artefacts/baseline.a', 'artefacts/baseline.b', 'artefacts/candidate.a'];
  for (const path of paths) writeFileSync(join(host, path), `content of ${path}`);
  const observations = [observe(jobs[0], paths.slice(0, 2)), observe(jobs[1], paths.slice(2))];
  const answer = await send(store, observations);
  expect(store.objects.size).toBe(3);
  const artefacts = openArtefacts({ path: submitter, ...from, broker: store.broker });
  expect((await artefacts.take(answer, baseOf)).observations).toEqual(observations);
  for (const path of paths) {
    expect(readFileSync(join(submitter, path), 'utf8')).toBe(`content of ${path}`);
  }
  await artefacts.drop(answer);
  expect(store.objects.size).toBe(0);
  // Of another session, or already gone.
  await artefacts.drop(answer);
});

test('jobs that are not wanted have their artefacts left where they are', async () => {
  const store = openStore();
  writeFileSync(join(host, 'artefacts/candidate.x'), 'x');
  const answer = await send(store, [observe(jobs[1], ['artefacts/candidate.x'])]);
  const artefacts = openArtefacts({ path: submitter, ...from, broker: store.broker });
  expect((await artefacts.take(answer, () => undefined)).observations).toEqual([]);
  expect(() => readFileSync(join(submitter, 'artefacts/candidate.x'))).toThrow('ENOENT');
});

test('a profile whose artefact is too large has failed, and the others have not', async () => {
  const store = openStore();
  for (const { arm } of jobs) writeFileSync(join(host, `artefacts/${arm}.large`), '');
  truncateSync(join(host, 'artefacts/candidate.large'), MAX_OBJECT_BYTES + 1);
  const done = jobs.map((job) => observe(job, [`artefacts/${job.arm}.large`]));
  const { observations, files } = await send(store, done);
  expect(files.map(({ path }) => path)).toEqual(['artefacts/baseline.large']);
  expect(observations).toEqual([
    done[0],
    {
      formatVersion: FORMAT_VERSION,
      attempt: 1,
      ...jobs[1],
      ...{ startedAtMs: 1, workerMs: 2, outcome: 'failed' },
      detail: "artefact 'artefacts/candidate.large': it is 33 MB; the limit is 32 MB",
    },
  ]);
});

test.each([
  ['was changed', ['artefacts/baseline.c'], {}, 'it is not what the host has stored'],
  ['was not stored', ['artefacts/baseline.c'], { files: [] }, 'it is missing'],
  ['is that of another job', ['artefacts/candidate.c'], {}, 'artefacts of this job are called'],
  ['is elsewhere', ['artefacts/baseline./../../c'], {}, 'artefacts of this job are called'],
])('a profile whose artefact %s has failed', async (_, artefacts, change, problem) => {
  const file = { path: artefacts[0], object: 'changed', digest };
  const observations = [observe(jobs[0], artefacts)];
  /** @type {FleetProfiles} */
  const answer = { kind: 'profiles', ...from, observations, files: [file], wallMs: 3, ...change };
  const { broker } = openStore();
  const taken = openArtefacts({ path: submitter, ...from, broker });
  const result = await taken.take(answer, baseOf);
  expect(result.observations).toEqual([
    expect.objectContaining({ outcome: 'failed', detail: expect.stringContaining(problem) }),
  ]);
});
