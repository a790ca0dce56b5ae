import { execFileSync } from 'node:child_process';
import { makeReferenceLoop } from './reference-loop.js';

const URL_TEXT = JSON.stringify(new URL('reference-loop.js', import.meta.url).href);

test('a reading is a positive number of nanoseconds', () => {
  const timeReferenceLoop = makeReferenceLoop();
  for (let reading = 0; reading < 5; reading++) expect(timeReferenceLoop()).toBeGreaterThan(0);
});

test.each([[[]], [['--predictable']]])(
  'its optimised code is not deoptimised after warm-up, with flags %j',
  (flags) => {
    const source = `
      const { makeReferenceLoop } = await import(${URL_TEXT});
      const timeReferenceLoop = makeReferenceLoop();
      console.log('warm');
      for (let reading = 0; reading < 50; reading++) timeReferenceLoop();
    `;
    const log = execFileSync(
      process.execPath,
      [...flags, '--trace-deopt', '--input-type=module', '--eval', source],
      { encoding: 'utf8', env: {} },
    );
    const warm = log.slice(log.indexOf('warm'));
    expect(warm).not.toMatch(/deoptimizing.*(?:turn|timeReferenceLoop)/);
  },
);
