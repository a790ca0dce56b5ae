import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { makeYardstick } from './yardstick.js';

const URL_TEXT = JSON.stringify(new URL('yardstick.js', import.meta.url).href);

test('a reading is a positive number of nanoseconds', () => {
  const readYardstick = makeYardstick();
  for (let reading = 0; reading < 5; reading++) expect(readYardstick()).toBeGreaterThan(0);
});

test.each([[[]], [['--predictable']]])(
  'its code is not thrown away once it is warm, with flags %j',
  (flags) => {
    const source = `
      const { makeYardstick } = await import(${URL_TEXT});
      const readYardstick = makeYardstick();
      console.log('warm');
      for (let reading = 0; reading < 50; reading++) readYardstick();
    `;
    const log = execFileSync(
      process.execPath,
      [...flags, '--trace-deopt', '--input-type=module', '--eval', source],
      { encoding: 'utf8', env: {} },
    );
    const warm = log.slice(log.indexOf('warm'));
    expect(warm).not.toMatch(/deoptimizing.*(?:turn|readYardstick)/);
  },
);
