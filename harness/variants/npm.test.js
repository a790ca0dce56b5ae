import { makeFakeNpm } from '../testing/support/fake-npm.js';
import { NpmError, findNpmPackage, isPassingFailure, runNpm } from './npm.js';

/** @type {ReturnType<typeof makeFakeNpm>} */
let npm;
afterEach(() => npm.remove());

/** @param {Parameters<typeof makeFakeNpm>[0]} registry */
function openRegistry(registry) {
  npm = makeFakeNpm(registry);
  npm.putFirst();
}

test.each([
  [
    'a hanging npm is killed after the time limit',
    { isSilent: true },
    500,
    'no answer within 0.5 s',
  ],
  ['code and message of a failure are kept', { isDown: true }, 60_000, 'connect ECONNREFUSED'],
])('%s', async (_, registry, timeoutMs, message) => {
  openRegistry(registry);
  const failing = runNpm(['view', 'codec'], { timeoutMs });
  await expect(failing).rejects.toThrow(NpmError);
  await expect(failing).rejects.toMatchObject({
    message,
    code: 'isDown' in registry ? 'ECONNREFUSED' : undefined,
  });
});

test.each([
  ['an unreachable registry', { isDown: true }, true],
  ['a version that does not exist', { versions: ['1.0.0'] }, false],
])('%s is a failure that may pass, or not', async (_, registry, mayPass) => {
  openRegistry(registry);
  const places = { assayPath: '/', cachePath: npm.cachePath };
  const error = await findNpmPackage('codec', '2.0.0', places).catch((thrown) => thrown);
  expect(isPassingFailure(error)).toBe(mayPass);
});
