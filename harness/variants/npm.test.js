import { afterEach, expect, test } from '@jest/globals';
import { makeFakeNpm } from '../testing/support/fake-npm.js';

const MODULE = new URL('./npm.js', import.meta.url).href;

/** @type {import('../testing/support/fake-npm.js').FakeNpm} */
let npm;
afterEach(() => npm.remove());

/** @param {number} timeoutMs  @returns {Promise<{ code?: string, message: string }>} the error */
function fail(timeoutMs) {
  return npm.run(`
    import { NpmError, runNpm } from ${JSON.stringify(MODULE)};
    const { code, message } = await runNpm(['view', 'codec'], { timeoutMs: ${timeoutMs} }).catch(
      (error) => (error instanceof NpmError ? error : { message: 'no NpmError' }),
    );
    console.log(JSON.stringify({ code, message }));
  `);
}

test('a hanging npm is killed after the time limit', async () => {
  npm = makeFakeNpm({ isSilent: true });
  expect(await fail(500)).toEqual({ message: 'no answer within 0.5 s' });
});

test('code and message of a failure of npm are kept', async () => {
  npm = makeFakeNpm({ isDown: true });
  expect(await fail(60_000)).toEqual({ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' });
});

test.each([
  ['an unreachable registry', { isDown: true }, true],
  ['a version that does not exist', { versions: ['1.0.0'] }, false],
])('%s is a failure that may pass, or not', async (_, registry, mayPass) => {
  npm = makeFakeNpm(registry);
  const found = await npm.run(`
    import { findNpmPackage, isPassingFailure } from ${JSON.stringify(MODULE)};
    const [, cachePath] = process.argv;
    const error = await findNpmPackage('codec', '2.0.0', { assayPath: '/', cachePath }).catch((thrown) => thrown);
    console.log(JSON.stringify(isPassingFailure(error)));
  `);
  expect(found).toBe(mayPass);
});
