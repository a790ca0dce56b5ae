import { describe, expect, test } from '@jest/globals';
import { checkNodeFlags } from './check-node-flags.js';

describe('flags for Node in a report', () => {
  test.each(['--predictable', '--no-opt', '--max-semi-space-size=64', '--max_old_space_size=512'])(
    'pass when they only steer V8: %s',
    (flag) => {
      expect(() => checkNodeFlags([flag])).not.toThrow();
    },
  );

  test.each([
    '--require=./x.js',
    '--import=data:text/javascript,0',
    '-r',
    '--loader=./x.js',
    '--inspect=0.0.0.0:9229',
    '--redirect-code-traces-to=/tmp/x',
    '--logfile=/tmp/x',
    '--cpu-prof',
    '--max-old-space-size=1;id',
    '--max-old-space-size',
    '--predictable=1',
    '__predictable',
    '--predictable\n--cpu-prof',
    './script.js',
  ])('are refused by name when they are not known to be harmless: %j', (flag) => {
    expect(() => checkNodeFlags(['--predictable', flag])).toThrow(/gives Node the flag '/);
  });

  test('are refused when there are too many', () => {
    expect(() => checkNodeFlags(Array(33).fill('--no-opt'))).toThrow(/33 flags/);
  });
});
