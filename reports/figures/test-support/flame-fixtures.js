/** Small profiles for tests of flamegraphs. */

/** @import { CellProfiles, DifferentialProfile, Frame, ProfileView } from '../../../harness/formats/profile-types.ts' */

/** Names of the arms in these tests. */
export const NAMES = { baseline: 'recursive', candidate: 'generator' };

/**
 * A node as `[name, parent, baseline, candidate]`; `gc` and names in capitals have other kinds.
 *
 * @typedef {[name: string, parent: number, baseline: number, candidate: number]} NodeSketch
 */

/** @type {(sketches: NodeSketch[], more?: Partial<ProfileView>) => ProfileView} */
export function makeView(sketches, more = {}) {
  const names = [...new Set(sketches.map(([name]) => name))];
  const nodes = sketches.map(([name, parent, baseline, candidate]) => ({
    frame: names.indexOf(name),
    parent,
    baseline,
    candidate,
  }));
  return {
    source: 'v8-cpu-profile',
    differential: { unit: 'ns', frames: names.map(makeFrame), nodes },
    lines: [],
    samples: { baseline: 3900, candidate: 4100 },
    processes: { baseline: 3, candidate: 1 },
    ...more,
  };
}

/** @type {(name: string) => Frame} */
function makeFrame(name) {
  if (name === 'gc') return { name, kind: 'gc', file: null, line: null, column: null };
  if (/^[A-Z]/.test(name)) return { name, kind: 'builtin', file: null, line: null, column: null };
  return { name, kind: 'js', file: `codec/${name}.js`, line: 7, column: 1 };
}

/**
 * One that shows everything: a function that stayed, one that is gone, a new one with a builtin
 * below it, one too small to draw, and garbage collection.
 * @type {() => CellProfiles}
 */
export function makeCellProfiles() {
  const time = makeView([
    ['run', -1, 100, 100],
    ['writeFields', 0, 5000, 0],
    ['resume', 0, 0, 4000],
    ['ObjectEntries', 2, 0, 9000],
    ['writeText', 0, 3000, 3300],
    ['tiny', 4, 1, 1],
    ['gc', -1, 400, 2000],
  ]);
  const bytes = makeView(
    [
      ['run', -1, 0, 0],
      ['writeFields', 0, 2048, 0],
      ['resume', 0, 0, 20480],
    ],
    { source: 'v8-heap-profile' },
  );
  bytes.differential.unit = 'bytes';
  return { cellId: 'serialize flat', views: [time, bytes] };
}

/**
 * A tree without chance in it, as large and as uneven as a native one.
 * @type {(count: number) => ProfileView}
 */
export function makeLargeView(count) {
  /** @type {NodeSketch[]} */
  const sketches = [];
  for (let index = 0; index < count; index++) {
    const parent = index === 0 ? -1 : Math.floor((index - 1) / (2 + (index % 5)));
    const weight = (index * 7919) % 101;
    sketches.push([
      `f${index % 300}`,
      parent,
      weight / (1 + (index % 17)),
      weight / (1 + (index % 13)),
    ]);
  }
  return makeView(sketches);
}

/** @type {(nodes: DifferentialProfile['nodes']) => Record<'baseline' | 'candidate', number>} */
export function sumWeights(nodes) {
  const sums = { baseline: 0, candidate: 0 };
  for (const { baseline, candidate } of nodes) {
    sums.baseline += baseline;
    sums.candidate += candidate;
  }
  return sums;
}
