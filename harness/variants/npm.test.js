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
