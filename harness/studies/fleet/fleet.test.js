import { randomUUID } from 'node:crypto';
import { makeManifest } from '../../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { AssayError } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { planJobs } from '../../stats/plan.js';
import { isLong, testMore } from '../../testing/support/gates.js';
import { findFamily, listFamilies } from '../../variants/families.js';
import { parseAddress, readMessage } from './broker.js';
import { isPlanned, requireAllowed, restrict } from './work.js';

/** @import { FleetRun, PlannedJob, Question } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */

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
  const other = { ...asks('linked-list'), reference: 'npm:bson@7.1.0' };
  expect(() => requireAllowed(other, ['npm:bson@7.2.0'])).toThrow('npm:bson@7.1.0 is not');
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

testMore('much nonsense is refused with a short reason', () => {
  const length = isLong ? 900_000 : 90_000;
  const result = {
    kind: 'result',
    formatVersion: FORMAT_VERSION,
    fleetId: randomUUID(),
    host: 'h',
    blockId: 'b',
    wallMs: 1,
  };
  const repeat = (/** @type {string} */ text) => text.repeat(length / text.length);
  const many = (/** @type {string} */ item) => `[${repeat(`${item},`)}${item}]`;
  const texts = [
    repeat('x'),
    repeat('['),
    `${repeat('[').slice(length / 2)}${repeat(']').slice(length / 2)}`,
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

test('a host measures the jobs of the plan, and no others', () => {
  const { corpora } = manifest;
  /** @type {(own: PlannedJob[], question?: Question) => boolean} */
  const isOwn = (own, question = manifest.question) => {
    const block = { formatVersion: FORMAT_VERSION, fleetId: randomUUID(), blockId: 'b' };
    return isPlanned({ pass: 'timing', ...block, jobs: own }, { question, corpora });
  };
  const own = jobs.filter(({ block }) => block === 1);
  expect(isOwn(own)).toBe(true);
  expect(isOwn(own.slice(0, 2))).toBe(true);
  expect(isOwn(jobs)).toBe(false);
  const { question } = manifest;
  const last = Math.max(...question.looks);
  const [beyond] = planJobs(question, cells, { from: last, to: last + 4 });
  expect(isOwn([beyond], { ...question, looks: [...question.looks, last + 4] })).toBe(true);
  expect(isOwn([beyond])).toBe(false);
  expect(isOwn([own[0], own[0]])).toBe(false);
  for (const changed of [
    { id: '../../etc/passwd' },
    { cellId: '__proto__' },
    { arm: 'control', position: 0 },
    { block: 1e15 },
  ]) {
    expect(isOwn([/** @type {PlannedJob} */ ({ ...own[0], ...changed })])).toBe(false);
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
    expect((await ask({ reference: 'npm:bson@7.2.0' })).sandbox).toBe(true);
  });

  test('what would run outside of the sandbox is refused', async () => {
    const git = { candidates: ['git:/srv/js-bson@main'] };
    await expect(ask({ reference: 'path:../x' })).rejects.toThrow(/path:/);
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
