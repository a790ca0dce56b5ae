import { describe, expect, test } from '@jest/globals';
import { scaleCollector } from './scale-collector.js';

/** @import { Profile } from '../../formats/profile-types.ts' */

/**
 * @param {number} working
 * @param {number} collecting none where 0
 * @returns {Profile}
 */
function makeProfile(working, collecting) {
  const common = { file: null, line: null, column: null };
  return {
    source: 'perf',
    unit: 'ns',
    frames: [
      { name: 'run', kind: 'js', ...common },
      { name: '(garbage collector)', kind: 'gc', ...common },
    ],
    nodes: [
      { frame: 0, parent: -1, self: working },
      ...(collecting === 0 ? [] : [{ frame: 1, parent: -1, self: collecting }]),
    ],
    lines: [],
    samples: 10,
  };
}

const selves = (/** @type {Profile[]} */ profiles) =>
  profiles.map(({ nodes }) => nodes.map(({ self }) => self));

describe('the time of the collector', () => {
  test('is brought to its share over all processes, which keep their difference', () => {
    const scaled = scaleCollector([makeProfile(90, 1), makeProfile(90, 3)], 0.1);
    expect(selves(scaled)).toEqual([
      [90, 5],
      [90, 15],
    ]);
  });

  test('is added where no sample fell into it', () => {
    const [scaled] = scaleCollector([makeProfile(90, 0)], 0.1);
    expect(selves([scaled])).toEqual([[90, 10]]);
    expect(scaled.frames[scaled.nodes[1].frame].kind).toBe('gc');
  });

  test('is left alone where nothing is known of it, and where there is none', () => {
    const profiles = [makeProfile(90, 1)];
    expect(scaleCollector(profiles, null)).toBe(profiles);
    const idle = [makeProfile(90, 0)];
    expect(scaleCollector(idle, 0)).toBe(idle);
  });
});
