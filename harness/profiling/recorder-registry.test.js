import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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
/** @param {string} name */
const scopeOf = (name) => recorders.find((recorder) => recorder.name === name)?.scope;

/** @param {string[]} asked  @param {boolean} hasProgram  @param {'none' | 'differing'} [explain] */
function choose(asked, hasProgram, explain = 'none') {
  const question = { explain, family: 'a-family', recorders: asked };
  return chooseRecorders(question, fakes.host, hasProgram);
}

describe('where a program of the family measures', () => {
  test('recorders of the JavaScript worker are left out, and not told as missing', async () => {
    const { recorders: chosen, states } = await choose([], true, 'differing');
    expect(chosen.map(({ name }) => name)).toEqual(['perf']);
    expect(states.map(({ name }) => name)).toEqual(['perf']);
    const ofNode = await choose([], false, 'differing');
    expect(ofNode.states.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['cpu-profile', 'perf', 'deopts']),
    );
  });

  test('those that look on from outside can be asked for', async () => {
    const { recorders: chosen } = await choose(['instructions'], true);
    expect(chosen.map(({ name }) => name)).toEqual(['instructions']);
  });

  test('the others are refused with those that can', async () => {
    const refused = choose(['deopts'], true);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toMatchObject({
      message:
        "recorder 'deopts' looks into the JavaScript worker, and a-family is measured by a program of its own",
      remedy: 'there instructions, perf, whole-process can look on',
    });
    await expect(choose(['deopts'], false)).resolves.toMatchObject({
      recorders: [{ name: 'deopts' }],
    });
  });
});

describe('in a sandbox', () => {
  const question = { family: 'a-family', sandbox: true };

  test('recorders that cannot look into it are left out, and told with the reason', async () => {
    const asked = { ...question, explain: /** @type {const} */ ('differing'), recorders: [] };
    const { recorders: chosen, states } = await chooseRecorders(asked, fakes.host, false);
    expect(chosen.map(({ name }) => name)).toContain('cpu-profile');
    expect(chosen.map(({ name }) => name)).not.toContain('perf');
    expect(states.find(({ name }) => name === 'perf')).toMatchObject({
      available: false,
      detail: expect.stringMatching(/^not in a sandbox: /),
    });
  });

  test('those that were asked for by name are refused', async () => {
    const asked = { ...question, explain: /** @type {const} */ ('none'), recorders: ['0x'] };
    await expect(chooseRecorders(asked, fakes.host, false)).rejects.toThrow(
      "recorder '0x' cannot work here: not in a sandbox: its tool starts the worker itself",
    );
  });
});

test('a name that no recorder has is refused with the one that was meant', async () => {
  await expect(choose(['prf'], true)).rejects.toThrow("no recorder 'prf'; did you mean 'perf'?");
});

test.each([
  ['perf', 'process'],
  ['whole-process', 'process'],
  ['cpu-profile', 'node'],
  ['allocation-sites', 'node'],
  ['values', 'node'],
])('%s looks at a %s', (name, scope) => {
  expect(scopeOf(name)).toBe(scope);
});

const MAX_SUMMARY_LENGTH = 100;

const files = readdirSync(fileURLToPath(new URL('recorders/', import.meta.url)));

test('recorders come by name', () => {
  const names = recorders.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(0);
  expect(names).toEqual([...names].sort());
});

describe.each(recorders)('recorder $name', (recorder) => {
  test('is called as its file', () => {
    expect(files).toContain(`${recorder.name}.js`);
  });

  test('says what it records in one line', () => {
    expect(recorder.summary).toMatch(/^\S[^\n]+[^.\s]$/);
    expect(recorder.summary.length).toBeLessThanOrEqual(MAX_SUMMARY_LENGTH);
  });

  test('asks for a whole number of processes', () => {
    expect(Number.isSafeInteger(recorder.processes) && recorder.processes >= 0).toBe(true);
  });

  test('answers on a host that has nothing', async () => {
    const probe = await recorder.probe({ environment: { PATH: '' }, toolsPath: '/nowhere' });
    expect(probe.available ? probe.detail : probe.reason).toMatch(/^\S[^\n]*[^.\s]$/);
  });
});
