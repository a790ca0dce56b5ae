import { tmpdir } from 'node:os';
import { openAddon, requireAda } from './addon.js';

/** @import { Addon } from './types.ts' */

test('an addon with another version of Ada is rejected', () => {
  const addon = /** @type {Addon} */ ({ adaVersion: '2.9.2' });
  expect(() => requireAda(addon, '2.7.4')).toThrow('it holds Ada 2.9.2 instead of 2.7.4');
  expect(requireAda(addon, '2.9.2')).toBe(addon);
});

test('a missing addon is an error with a remedy', () => {
  expect(() => openAddon(tmpdir())).toThrow(
    expect.objectContaining({
      name: 'MachineError',
      remedy: expect.stringContaining('build the addon again'),
    }),
  );
});
