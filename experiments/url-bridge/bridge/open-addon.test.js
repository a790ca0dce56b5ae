import { expect, test } from '@jest/globals';
import { tmpdir } from 'node:os';
import { openAddon, requireAda } from './open-addon.js';

/** @import { Addon } from './types.ts' */

test('an addon with another Ada than the pinned one is refused', () => {
  const addon = /** @type {Addon} */ ({ adaVersion: '2.9.2' });
  expect(() => requireAda(addon, '2.7.4')).toThrow('it holds Ada 2.9.2 instead of 2.7.4');
  expect(requireAda(addon, '2.9.2')).toBe(addon);
});

test('a build without an addon is refused with a way out', () => {
  expect(() => openAddon(tmpdir())).toThrow(
    expect.objectContaining({
      name: 'MachineError',
      remedy: expect.stringContaining('build the addon again'),
    }),
  );
});
