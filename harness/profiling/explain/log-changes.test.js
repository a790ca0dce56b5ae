import { compareLogs, describeCacheSites, describeDeopts } from './log-changes.js';

/** @import { CacheSite, DeoptEntry, DeoptLog, FunctionLog } from '../../formats/types.ts' */

const PLACE = { line: 5, column: 9 };
const NO_CHANGES = { deopts: [], cacheSites: [], tiers: [] };

/** @param {Partial<FunctionLog>} [fields] of its function @returns {DeoptLog} */
function logOf(fields) {
  const own = { name: 'write', file: 'codec/write.js', line: 3, column: 1 };
  return { functions: [{ ...own, tier: 'optimized', deopts: [], sites: [], ...fields }] };
}

/** @param {Partial<DeoptEntry>} [fields] @returns {DeoptEntry} */
function deopt(fields) {
  const place = { file: 'codec/write.js', ...PLACE };
  return { kind: 'eager', reason: 'wrong map', ...place, count: 1, late: 0, ...fields };
}

/** @param {Partial<CacheSite>} [fields] @returns {CacheSite} */
function site(fields) {
  return { cache: 'LoadIC', state: 'polymorphic', key: null, ...PLACE, classes: null, ...fields };
}

/** @param {number} line */
function megamorphicAt(line) {
  return site({ state: 'megamorphic', line });
}

test.each([
  {
    name: 'deoptimisations after warm-up, not those before',
    baseline: [deopt({ reason: 'not a Smi', count: 9 })],
    candidate: [deopt({ count: 2, late: 2 })],
    changes: [
      ['wrong map', 2],
      ['not a Smi', 0],
    ],
    sentences: [
      'After warm-up, V8 deoptimised functions of the candidate: write (wrong map, 2 times).',
    ],
  },
  {
    name: 'no equal numbers of deoptimisations on other lines of an edited function',
    baseline: [deopt({ late: 1 })],
    candidate: [deopt({ late: 1, line: 6 })],
    changes: [
      ['wrong map', 0],
      ['wrong map', 1],
    ],
    sentences: [],
  },
])('the paragraph reports $name', ({ baseline, candidate, changes, sentences }) => {
  const { deopts } = compareLogs({
    baseline: logOf({ deopts: baseline }),
    candidate: logOf({ deopts: candidate }),
  });
  expect(deopts.map(({ reason, late }) => [reason, late.candidate])).toEqual(changes);
  expect(describeDeopts(deopts)).toEqual(sentences);
});

test.each([
  {
    name: 'the worst state of a site',
    baseline: [site(), site({ line: 8 })],
    candidate: [site(), site({ state: 'megamorphic' }), site({ line: 8 })],
    changes: 1,
    sentences: ['Only the candidate has 1 megamorphic site, in write.'],
  },
  {
    name: 'the difference in number of sites in an edited function',
    baseline: [5, 7].map(megamorphicAt),
    candidate: [6, 8, 9].map(megamorphicAt),
    changes: 5,
    sentences: ['The candidate has 1 more megamorphic site, in write.'],
  },
  {
    name: 'no site that only becomes polymorphic',
    baseline: [],
    candidate: [site()],
    changes: 1,
    sentences: [],
  },
])('the paragraph reports $name', ({ baseline, candidate, changes, sentences }) => {
  const { cacheSites } = compareLogs({
    baseline: logOf({ sites: baseline }),
    candidate: logOf({ sites: candidate }),
  });
  expect(cacheSites).toHaveLength(changes);
  expect(describeCacheSites(cacheSites)).toEqual(sentences);
});

test('a function that ends in another tier is listed with both', () => {
  const logs = { baseline: logOf(), candidate: logOf({ tier: 'baseline' }) };
  const place = { function: 'write', file: 'codec/write.js', line: 3 };
  expect(compareLogs(logs).tiers).toEqual([
    { ...place, baseline: 'optimized', candidate: 'baseline' },
  ]);
});

test('equal logs, moved functions and a single log have no changes', () => {
  const log = logOf({ deopts: [deopt({ late: 1 })], sites: [megamorphicAt(5)] });
  const moved = logOf({
    line: 13,
    deopts: [deopt({ late: 1, line: 15 })],
    sites: [megamorphicAt(15)],
  });
  expect(compareLogs({ baseline: log, candidate: log })).toEqual(NO_CHANGES);
  expect(compareLogs({ baseline: log, candidate: moved })).toEqual(NO_CHANGES);
  expect(compareLogs({ baseline: null, candidate: log })).toEqual(NO_CHANGES);
});
