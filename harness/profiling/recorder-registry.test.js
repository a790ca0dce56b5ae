import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../lib/errors.js';
import { chooseRecorders, listRecorders } from './recorder-registry.js';
import { fakePrograms } from './recorders/test-support/fake-programs.js';

/** @type {ReturnType<typeof fakePrograms>} */
let fakes;
beforeAll(() => {
  fakes = fakePrograms({ perf: 'echo 1.5,msec,cpu-clock:u', valgrind: 'echo valgrind-3.19.0' });
});
afterAll(() => fakes.remove());

const recorders = await listRecorders();
/** @param {string[]} asked  @param {boolean} hasProgram  @param {'none' | 'differing'} [explain] */
function choose(asked, hasProgram, explain = 'none') {
  const question = { explain, family: 'a-family', recorders: asked };
  return chooseRecorders(question, fakes.host, hasProgram);
}

describe('for a family with its own program', () => {
  test('recorders of scope node are not selected, and not reported as missing', async () => {
    const { recorders: chosen, states } = await choose([], true, 'differing');
    expect(chosen.map(({ name }) => name)).toEqual(['perf']);
    expect(states.map(({ name }) => name)).toEqual(['perf']);
    const ofNode = await choose([], false, 'differing');
    expect(ofNode.states.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['cpu-profile', 'perf', 'deopts']),
    );
  });

  test('recorders of scope process can be requested', async () => {
    const { recorders: chosen } = await choose(['instructions'], true);
    expect(chosen.map(({ name }) => name)).toEqual(['instructions']);
  });

  test('other recorders are refused, and the error lists the available ones', async () => {
    const refused = choose(['deopts'], true);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toMatchObject({
      message:
        "recorder 'deopts' only supports the JavaScript worker, but a-family is measured by its own program",
      remedy: 'available for a-family: instructions, perf, whole-process',
    });
    await expect(choose(['deopts'], false)).resolves.toMatchObject({
      recorders: [{ name: 'deopts' }],
    });
  });
});

describe('in a sandbox', () => {
  const question = { family: 'a-family', sandbox: true };

  test('recorders that cannot observe it are not selected, and their state has the reason', async () => {
    const asked = { ...question, explain: /** @type {const} */ ('differing'), recorders: [] };
    const { recorders: chosen, states } = await chooseRecorders(asked, fakes.host, false);
    expect(chosen.map(({ name }) => name)).toContain('cpu-profile');
    expect(chosen.map(({ name }) => name)).not.toContain('perf');
    expect(states.find(({ name }) => name === 'perf')).toMatchObject({
      available: false,
      detail: expect.stringMatching(/^it cannot observe a sandboxed worker, since /),
    });
  });

  test('recorders requested by name are refused', async () => {
    const asked = { ...question, explain: /** @type {const} */ ('none'), recorders: ['0x'] };
    await expect(chooseRecorders(asked, fakes.host, false)).rejects.toThrow(
      "recorder '0x' is not available: it cannot observe a sandboxed worker, since its tool starts the worker itself",
    );
  });
});

test('an unknown name is refused with the closest one', async () => {
  await expect(choose(['prf'], true)).rejects.toThrow("no recorder 'prf'; did you mean 'perf'?");
});

const MAX_SUMMARY_LENGTH = 100;

const files = readdirSync(fileURLToPath(new URL('recorders/', import.meta.url)));

test('recorders are sorted by name and have a scope', () => {
  const names = recorders.map(({ name }) => name);
  expect(names).toEqual(names.toSorted());
  expect(Object.fromEntries(recorders.map(({ name, scope }) => [name, scope]))).toMatchObject({
    'allocation-sites': 'node',
    'cpu-profile': 'node',
    perf: 'process',
    values: 'node',
    'whole-process': 'process',
  });
});

describe.each(recorders)('recorder $name', (recorder) => {
  test('has the name of its file', () => {
    expect(files).toContain(`${recorder.name}.js`);
  });

  test('has a summary of one line', () => {
    expect(recorder.summary).toMatch(/^\S[^\n]+[^.\s]$/);
    expect(recorder.summary.length).toBeLessThanOrEqual(MAX_SUMMARY_LENGTH);
  });

  test('requests a whole number of processes', () => {
    expect(Number.isSafeInteger(recorder.processes) && recorder.processes >= 0).toBe(true);
  });

  test('can be probed on a host without any tool', async () => {
    const probe = await recorder.probe({ environment: { PATH: '' }, toolsPath: '/nowhere' });
    expect(probe.available ? probe.detail : probe.reason).toMatch(/^\S[^\n]*[^.\s]$/);
  });
});
