import { sampleProfile } from './functions.js';
import { compareParts } from './parts.js';

/** @import { FrameKind, Profile } from '../../formats/profile-types.ts' */

/**
 * A profile of stacks, each from its root, with frames such as `js mongodb/lib/cursor.js`.
 *
 * @param {[string[], number][]} stacks with their weight in nanoseconds
 * @returns {Profile}
 */
function profileOf(stacks) {
  /** @type {Profile} */
  const profile = {
    source: 'v8-cpu-profile',
    unit: 'ns',
    frames: [],
    nodes: [],
    lines: [],
    samples: 100,
  };
  for (const [stack, weight] of stacks) {
    stack.forEach((text, depth) => {
      const [kind, file = null, name = 'run'] = text.split(' ');
      const place = { file, line: null, column: null };
      const frame = profile.frames.push({ name, kind: /** @type {FrameKind} */ (kind), ...place });
      const self = depth === stack.length - 1 ? weight : 0;
      const parent = depth === 0 ? -1 : profile.nodes.length - 1;
      profile.nodes.push({ frame: frame - 1, parent, self });
    });
  }
  return profile;
}

const LOOP = 'js harness/worker/exercise-operation.js';
const DRIVER = 'js mongodb/lib/cursor.js';
const CODEC = 'js bson/lib/bson.mjs';
const BUFFER = 'js node:buffer';

/** @param {number} codecNs */
function clientOf(codecNs) {
  return profileOf([
    [[LOOP, 'js experiments/js-bson/operations/find-many.js'], 20],
    [[LOOP, DRIVER], 100],
    [[LOOP, DRIVER, CODEC], codecNs],
    [['js node:net', DRIVER, CODEC, BUFFER, 'native'], 30],
    [['js node:net', DRIVER, BUFFER], 40],
    [['builtin'], 5],
    [['gc'], 10],
  ]);
}

test('the time of a client is divided by whose code takes it, and the parts sum to the whole', () => {
  const arms = {
    baseline: [clientOf(200), clientOf(200)].map((profile) => sampleProfile(profile, 1)),
    candidate: [clientOf(50), clientOf(50)].map((profile) => sampleProfile(profile, 2)),
  };
  const parts = compareParts(arms, ['mongodb'], 0);
  expect(parts.map(({ name, baselineNs, candidateNs }) => [name, baselineNs, candidateNs])).toEqual(
    [
      // What the codec calls in Node belongs to it.
      ['the variant', 230, 160],
      ['mongodb', 100, 200],
      ['Node', 40, 80],
      ['the operation', 20, 40],
      ['garbage collection', 10, 20],
      ['unattributed', 5, 10],
    ],
  );
  expect(parts[0].change.estimate).toBe(-70);
});

test('a part that only one arm has is zero in the other', () => {
  const sampled = (/** @type {string} */ frame) => sampleProfile(profileOf([[[frame], 7]]), 1);
  const parts = compareParts(
    { baseline: [sampled(DRIVER), sampled(DRIVER)], candidate: [sampled(CODEC), sampled(CODEC)] },
    ['mongodb'],
    0,
  );
  expect(parts.map(({ name, baselineNs, candidateNs }) => [name, baselineNs, candidateNs])).toEqual(
    [
      ['mongodb', 7, 0],
      ['the variant', 0, 7],
    ],
  );
});
