import { randomUUID } from 'node:crypto';
import { makeManifest } from '../../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { AssayError } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { openUnits } from '../../run/passes/timing.js';
import { planJobs } from '../../stats/plan.js';
import { findFamily, listFamilies } from '../../variants/families.js';
import { parseAddress, readMessage } from './broker.js';
import { groupIntoBlocks, openLedger } from './submit.js';
import { isPlanned, requireAllowed, restrict } from './work.js';

/** @import { FleetRun, Observation, PlannedJob, PlannedProfileJob, ProfileObservation, Question } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { TimingContext, TimingPass } from '../../run/passes/timing.js' */

const cells = ['flat', 'deep'].flatMap((corpus) =>
  [0, 1].map((candidate) => ({
    id: `serialize ${corpus} ${candidate}`,
    sharedId: `serialize ${corpus}`,
    operation: 'serialize',
    corpus,
    candidate,
  })),
);
const manifest = makeManifest({ cells, candidates: ['b', 'c'] });
const jobs = planJobs(manifest.question, cells, { from: 0, to: 8 });

test('all variants of a block of a cell are for one host, in the order of the plan', () => {
  const blocks = groupIntoBlocks(jobs, openUnits(manifest.question), 'session');
  expect(blocks.map(({ blockId }) => blockId).sort()).toEqual([
    'session/serialize deep/0',
    'session/serialize deep/1',
    'session/serialize flat/0',
    'session/serialize flat/1',
  ]);
  for (const { jobs: own } of blocks) {
    expect(new Set(own.map(({ arm }) => arm))).toEqual(
      new Set(['baseline', 'candidate', 'control']),
    );
    expect(own.map(({ position }) => position)).toEqual(own.map((_, index) => index));
  }
  expect(blocks.flatMap((block) => block.jobs)).toHaveLength(jobs.length);
});

/** @type {(job: PlannedJob, attempt: number, outcome: 'done' | 'failed') => Observation} */
function observe({ id, cellId, arm, block, position }, attempt, outcome) {
  const place = { id, cellId, arm, block, position };
  const common = { formatVersion: FORMAT_VERSION, ...place, attempt, startedAtMs: 5, workerMs: 1 };
  return /** @type {Observation} */ (/** @type {unknown} */ ({ ...common, outcome }));
}

/**
 * A run whose host took 100 ms, at 1000 ms of the run.
 *
 * @param {Observation[]} [earlier]
 */
function openRun(earlier = []) {
  const observations = [...earlier];
  /** @type {string[]} */
  const settled = [];
  const pass = /** @type {TimingPass} */ (
    /** @type {unknown} */ ({
      name: 'timing',
      attempts: 2,
      doneId: (/** @type {Observation} */ { outcome, id }) => (outcome === 'done' ? id : null),
      settle: (/** @type {PlannedJob} */ { id }) => settled.push(id),
    })
  );
  const clock = { elapsedMs: () => 1000 };
  const context = /** @type {TimingContext} */ (
    /** @type {unknown} */ ({ observations, append() {}, clock })
  );
  const ledger = openLedger(pass, context);
  const take = (/** @type {Observation[]} */ found, isOfSession = true) =>
    ledger.absorb(
      {
        kind: 'result',
        formatVersion: FORMAT_VERSION,
        fleetId: randomUUID(),
        host: 'h',
        blockId: 'b',
        observations: found,
        wallMs: 100,
      },
      jobs.slice(0, 2),
      isOfSession,
    );
  return { observations, settled, take };
}

test('an observation counts once, at the time of the run, with its host', () => {
  const { observations, settled, take } = openRun();
  const [one, two, stranger] = jobs;
  expect(take([observe(one, 1, 'done')])).toBe(false);
  expect(take([observe(one, 1, 'done'), observe(one, 2, 'done'), observe(two, 1, 'done')])).toBe(
    false,
  );
  expect(take([observe(stranger, 1, 'done')])).toBe(false);
  expect(observations.map(({ id }) => id)).toEqual([one.id, two.id]);
  expect(observations[0]).toMatchObject({ host: 'h', startedAtMs: 905 });
  expect(settled).toEqual([one.id, two.id]);
});

test('a job that failed at every attempt is settled, and the pass has failed', () => {
  const { observations, settled, take } = openRun();
  expect(take([observe(jobs[0], 1, 'failed')])).toBe(false);
  expect(settled).toEqual([]);
  expect(take([observe(jobs[0], 2, 'failed')])).toBe(true);
  expect(observations).toHaveLength(2);
  expect(settled).toEqual([jobs[0].id]);
});

test('a job that failed in an earlier session is done when a host does it now', () => {
  const failed = observe(jobs[0], 1, 'failed');
  const { observations, take } = openRun([failed]);
  expect(take([observe(jobs[0], 1, 'failed')])).toBe(false);
  expect(observations).toEqual([failed]);
  take([observe(jobs[0], 1, 'done')]);
  expect(observations[1]).toMatchObject({ id: jobs[0].id, outcome: 'done' });
});

test('a job that fails again after a resume has failed, and is in the journal once', () => {
  const failed = [1, 2].map((attempt) => observe(jobs[0], attempt, 'failed'));
  const { observations, settled, take } = openRun(failed);
  // What hosts answered to the earlier session is read again.
  expect(take(failed, false)).toBe(false);
  expect(settled).toEqual([]);
  expect(take(failed)).toBe(true);
  expect(settled).toEqual([jobs[0].id]);
  expect(observations).toEqual(failed);
});

test('an attempt that no host makes does not count', () => {
  const { observations, take } = openRun();
  for (const attempt of [0, 3]) take([observe(jobs[0], attempt, 'done')]);
  expect(observations).toEqual([]);
});

test('the place of an observation is that of the plan, whatever the host says', () => {
  const { observations, take } = openRun();
  take([{ ...observe(jobs[1], 1, 'done'), cellId: 'another', arm: 'control', block: 7 }]);
  const { cellId, arm, block } = jobs[1];
  expect(observations).toMatchObject([{ cellId, arm, block }]);
});

test('profiles count once each, and one that failed has no other attempt', () => {
  /** @type {PlannedProfileJob[]} */
  const planned = /** @type {const} */ (['baseline', 'candidate']).map((arm) => ({
    ...{ id: `perf/serialize flat/0/${arm}`, recorder: 'perf' },
    ...{ cellId: 'serialize flat', arm, process: 0 },
  }));
  const common = { formatVersion: FORMAT_VERSION, attempt: 1, startedAtMs: 5, workerMs: 1 };
  /** @type {ProfileObservation[]} */
  const found = [
    { ...common, ...planned[0], outcome: 'done', exercise: null, artefacts: [] },
    { ...common, ...planned[1], outcome: 'failed', detail: 'no' },
  ];
  /** @type {ProfileObservation[]} */
  const observations = [];
  const ledger = openLedger(
    { name: 'profiles', doneId: ({ id, outcome }) => (outcome === 'done' ? id : null) },
    {
      observations,
      append() {},
      clock: { elapsedMs: () => 1000, sessionMs: () => 1000 },
    },
  );
  const from = { formatVersion: FORMAT_VERSION, fleetId: randomUUID(), host: 'h', blockId: 'b' };
  const answer = { kind: /** @type {const} */ ('profiles'), ...from, files: [], wallMs: 100 };
  expect(planned.map(ledger.isSettled)).toEqual([false, false]);
  for (let times = 0; times < 2; times++)
    ledger.absorb({ ...answer, observations: found }, planned, true);
  expect(observations).toEqual(found.map((one) => ({ ...one, host: 'h', startedAtMs: 905 })));
  expect(planned.map(ledger.isSettled)).toEqual([true, true]);
  expect(planned.map(ledger.isDone)).toEqual([true, false]);
});

test('a message is read, or it is said what is wrong with it', () => {
  const block = {
    formatVersion: FORMAT_VERSION,
    fleetId: randomUUID(),
    blockId: 'b',
    pass: 'timing',
    jobs: jobs.slice(0, 1),
  };
  const text = JSON.stringify(block);
  const read = (/** @type {string} */ sent) =>
    readMessage('fleet-block', new TextEncoder().encode(sent));
  expect(read(text)).toEqual(block);
  for (let length = 0; length < text.length; length += 7) {
    expect(read(text.slice(0, length))).toBe('it is not JSON');
  }
  expect(read(text.replace('"fleetId"', '"fleetID"'))).toMatch(
    /the block is not of format \d+: .*fleetI/,
  );
  expect(read(text.replace(/:\d+/, ':1'))).toMatch(/format/);
  expect(read(JSON.stringify({ ...block, fleetId: 'a.*' }))).toMatch(/fleetId/);
  expect(read(JSON.stringify({ ...block, blockId: 'b'.repeat(301) }))).toMatch(/blockId/);
  expect(read('null')).toMatch(/the block/);
});

test('a host measures what is built in and what is allowed', () => {
  const asks = (/** @type {string} */ candidate) =>
    makeManifest({ candidates: [candidate] }).question;
  const check = (/** @type {string} */ candidate, /** @type {string[]} */ allowed) =>
    requireAllowed(asks(candidate), allowed);
  check('npm:bson@7.2.0', []);
  check('npm:bson@7.2.0', ['npm:left-pad@1.0.0', 'npm:bson@*']);
  check('linked-list', ['npm:bson@7.2.0']);
  expect(() => check('npm:bson@7.2.0', ['npm:bson@7.1.0'])).toThrow(
    'npm:bson@7.2.0 is not allowed here',
  );
  expect(() => check('git:.@main', ['npm:*'])).toThrow('git:.@main is not allowed here');
  const { question } = makeManifest({
    ...{ rank: true, baseline: 'npm:bson@7.1.0', candidates: ['linked-list', 'generator'] },
  });
  expect(() => requireAllowed(question, ['npm:bson@7.2.0'])).toThrow('npm:bson@7.1.0 is not');
});

test('what --allow has before a * is a directory that the rest does not leave', () => {
  const check = (/** @type {string} */ candidate, /** @type {string} */ pattern) =>
    requireAllowed(makeManifest({ candidates: [candidate] }).question, [pattern]);
  for (const revision of ['main', 'feature/a.b', 'v1.0@node=22']) {
    check(`git:/srv/js-bson@${revision}`, 'git:/srv/js-bson@*');
    check(`git:../js-bson@${revision}`, 'git:../js-bson@*');
  }
  for (const [spec, pattern] of [
    ['git:/srv/js-bson@/../other@main', 'git:/srv/js-bson@*'],
    ['git:/srv/../etc@main', 'git:/srv/*'],
    ['git:/srv/js-bson/..@main', 'git:/srv/js-bson*'],
    ['git:/srv/../etc@main', 'git:/srv/.*'],
  ]) {
    expect(() => check(spec, pattern)).toThrow(`${spec} is not allowed here`);
  }
});

/** @type {(kind: 'fleet-run' | 'fleet-block' | 'fleet-message', text: string) => unknown} */
const readText = (kind, text) => readMessage(kind, new TextEncoder().encode(text));

test('a megabyte of nonsense is refused with a short reason', () => {
  const result = {
    kind: 'result',
    formatVersion: FORMAT_VERSION,
    fleetId: randomUUID(),
    host: 'h',
    blockId: 'b',
    wallMs: 1,
  };
  const repeat = (/** @type {string} */ text) => text.repeat(900_000 / text.length);
  const many = (/** @type {string} */ item) => `[${repeat(`${item},`)}${item}]`;
  const texts = [
    repeat('x'),
    repeat('['),
    `${repeat('[').slice(400_000)}${repeat(']').slice(400_000)}`,
    `{${repeat('"k":0,')}"k":0}`,
    ...['0', '{}', '{"outcome":"done"}', '{"__proto__":{"outcome":"done"}}'].map((item) =>
      JSON.stringify({ ...result, observations: 0 }).replace(/:0}$/, `:${many(item)}}`),
    ),
  ];
  for (const text of texts) {
    expect(text.length).toBeLessThanOrEqual(1_000_000);
    for (const kind of /** @type {const} */ (['fleet-run', 'fleet-block', 'fleet-message'])) {
      const reason = readText(kind, text);
      expect(typeof reason).toBe('string');
      expect(String(reason).length).toBeLessThan(300);
    }
  }
  expect(readText('fleet-message', ' '.repeat(1_000_001))).toMatch(/1000001 bytes/);
});

test('texts of a host have limits, and no key reaches a prototype', () => {
  const refusal = {
    kind: 'refusal',
    formatVersion: FORMAT_VERSION,
    fleetId: randomUUID(),
    host: 'h',
    reason: 'r',
  };
  const read = (/** @type {object} */ changed) =>
    readText('fleet-message', JSON.stringify({ ...refusal, ...changed }));
  expect(read({})).toEqual(refusal);
  expect(read({ host: 'h'.repeat(301) })).toMatch(/host/);
  expect(read({ host: '' })).toMatch(/host/);
  expect(read({ reason: 'r'.repeat(10_001) })).toMatch(/reason/);
  expect(read({ fleetId: '../../../../../../../../../../../..' })).toMatch(/fleetId/);
  for (const key of ['__proto__', 'constructor', 'toString']) {
    const text = JSON.stringify(refusal).replace('{', `{"${key}":{"kind":"result"},`);
    expect(readText('fleet-message', text)).toMatch(/is not known/);
  }
});

test('an observation is of the arm and the cell of its job, whatever the host says', () => {
  const { observations, take } = openRun();
  const [one] = jobs;
  const lies = { arm: 'control', cellId: 'other', block: 7, position: 9 };
  take([/** @type {Observation} */ ({ ...observe(one, 1, 'done'), ...lies })]);

  expect(observations).toMatchObject([one]);
});

test('a host measures the jobs of the plan, and no others', () => {
  const { question } = manifest;
  const own = jobs.filter(({ block }) => block === 1);
  expect(isPlanned(own, question)).toBe(true);
  expect(isPlanned(own.slice(0, 2), question)).toBe(true);
  expect(isPlanned(jobs, question)).toBe(false);
  const { looks } = question;
  const last = Math.max(...looks);
  const [beyond] = planJobs(question, cells, { from: last, to: last + 4 });
  expect(isPlanned([beyond], { ...question, looks: [...looks, last + 4] })).toBe(true);
  expect(isPlanned([beyond], question)).toBe(false);
  expect(isPlanned([own[0], own[0]], question)).toBe(false);
  for (const changed of [
    { id: '../../etc/passwd' },
    { cellId: '__proto__' },
    { arm: 'control', position: 0 },
    { block: 1e15 },
  ]) {
    const job = /** @type {PlannedJob} */ ({ ...own[0], ...changed });
    expect(isPlanned([job], question)).toBe(false);
  }
});

describe('what a submitter may ask of a host', () => {
  /** @type {FoundFamily} */
  let family;
  beforeAll(async () => {
    family = findFamily(await listFamilies(PROJECT.experimentsPath), 'js-bson');
  });

  /** @param {Partial<Question>} changed  @param {string[]} [allowed] */
  const ask = (changed, allowed = []) => {
    const asked = makeManifest({ cells: CELLS, candidates: ['linked-list'] });
    const { variants, corpora } = asked;
    const question = { ...asked.question, nodeFlags: [], ...changed };
    const labels = new Set(question.cells.map(({ corpus }) => corpus));
    const run = {
      ...asked,
      question,
      variants: { ...variants, candidates: [] },
      corpora: [...labels].map((label) => ({ ...corpora[0], label })),
    };
    return restrict(/** @type {FleetRun} */ (/** @type {unknown} */ (run)), family, allowed);
  };
  const CELLS = [{ id: 'serialize flat', operation: 'serialize', corpus: 'flat' }];

  test('what is built in runs as it is, and packages in a sandbox', async () => {
    expect((await ask({})).sandbox).toBeUndefined();
    expect((await ask({ candidates: ['npm:bson@7.2.0'] })).sandbox).toBe(true);
    expect((await ask({ baseline: 'npm:bson@7.2.0' })).sandbox).toBe(true);
  });

  test('what would run outside of the sandbox is refused', async () => {
    const git = { candidates: ['git:/srv/js-bson@main'] };
    await expect(ask(git)).rejects.toThrow(/git:\/srv\/js-bson@main is built outside/);
    expect((await ask(git, ['git:/srv/js-bson@*'])).sandbox).toBe(true);
    await expect(ask({ candidates: ['path:../js-bson'] })).rejects.toThrow(/path:/);
    const ranked = { rank: true, candidates: ['linked-list'] };
    await expect(ask({ ...ranked, baseline: 'git:/srv/x@main' })).rejects.toThrow(/has a baseline/);
    await expect(ask({ build: 'rm -r .' })).rejects.toThrow(/--build/);
    for (const flag of ['--import=data:text/javascript,0', '--inspect=0.0.0.0', '-r', '--eval']) {
      await expect(ask({ nodeFlags: [flag] })).rejects.toThrow(/may load code/);
    }
  });

  test('no name becomes a path', async () => {
    const [cell] = CELLS;
    for (const changed of [
      { operation: '../family' },
      { operation: 'serialize/../../../../../tmp/x' },
      { corpus: '../../etc/passwd' },
      { corpus: '__proto__' },
      { id: '../x' },
    ]) {
      await expect(ask({ cells: [{ ...cell, ...changed }] })).rejects.toThrow(AssayError);
    }
  });
});

describe('the address of a broker', () => {
  const secret = 's3cret';
  const parse = (/** @type {string} */ url, environment = {}) =>
    parseAddress(url, { environment, workingPath: '/' });
  const user = { NATS_USER: 'me', NATS_PASSWORD: secret };

  test('of another machine needs encryption, and credentials from the environment', () => {
    expect(parse('tls://broker.example:4222', user)).toEqual({
      host: 'broker.example:4222',
      tls: {},
      login: { user: 'me', pass: secret },
    });
    expect(parse('nats://localhost:4222')).toEqual({ host: 'localhost:4222', login: {} });
    for (const environment of [{}, { NATS_USER: 'me' }, { NATS_PASSWORD: secret }]) {
      expect(() => parse('tls://broker.example', environment)).toThrow(/must have encryption/);
    }
    expect(() => parse('nats://broker.example', user)).toThrow(/must have encryption/);
  });

  test('has no credentials in it, and they are not repeated', () => {
    const urls = [
      'tls://me:PW@broker',
      'tls://PW@localhost',
      'me:PW@h:x',
      'tls://a:PW#b@h',
      'nats://a:PW@@::',
    ];
    for (const url of urls.map((text) => text.replace('PW', secret))) {
      let message = '';
      try {
        parse(url);
      } catch (error) {
        const { message: found, remedy } = /** @type {AssayError} */ (error);
        message = `${found} ${remedy}`;
      }
      expect(message).toMatch(/credentials in an address .* NATS_PASSWORD/);
      expect(message).not.toContain(secret);
    }
  });
});
