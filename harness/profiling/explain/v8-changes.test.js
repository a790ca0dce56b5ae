import { describe, expect, test } from '@jest/globals';
import { compareLogs } from './v8-changes.js';
import { describeCacheSites, describeDeopts } from './v8-sentences.js';

/** @import { CacheSite, DeoptEntry, DeoptLog, FunctionLog } from '../../formats/types.ts' */

/** @param {Partial<FunctionLog>} fields @returns {DeoptLog} */
function logOf(fields) {
  const rest = { line: 3, column: 1, deopts: [], sites: [] };
  return {
    functions: [{ name: 'write', file: 'codec/write.js', tier: 'optimized', ...rest, ...fields }],
  };
}

/** @param {Partial<DeoptEntry>} fields @returns {DeoptEntry} */
function deoptOf(fields) {
  const place = { file: 'codec/write.js', line: 5, column: 9 };
  return { kind: 'eager', reason: 'wrong map', ...place, count: 1, late: 0, ...fields };
}

/** @param {Partial<CacheSite>} fields @returns {CacheSite} */
function siteOf(fields) {
  const place = { key: null, line: 5, column: 9, classes: null };
  return { cache: 'LoadIC', state: 'polymorphic', ...place, ...fields };
}

describe('deoptimisations', () => {
  test('of both arms are no change', () => {
    const log = logOf({ deopts: [deoptOf({ count: 2 })] });
    expect(compareLogs({ baseline: log, candidate: log }).deopts).toEqual([]);
  });

  test('after warm-up come first and are reported; those before are not', () => {
    const { deopts } = compareLogs({
      baseline: logOf({ deopts: [deoptOf({ reason: 'not a Smi', count: 9 })] }),
      candidate: logOf({ deopts: [deoptOf({ count: 2, late: 2 })] }),
    });
    expect(deopts.map(({ reason, late }) => [reason, late.candidate])).toEqual([
      ['wrong map', 2],
      ['not a Smi', 0],
    ]);
    expect(describeDeopts(deopts)).toEqual([
      'After warm-up, V8 deoptimised functions of the candidate: write (wrong map, 2 times).',
    ]);
  });
});

test('as many deoptimisations on other lines of an edited function are not reported', () => {
  const { deopts } = compareLogs({
    baseline: logOf({ deopts: [deoptOf({ late: 1 })] }),
    candidate: logOf({ deopts: [deoptOf({ late: 1, line: 6 })] }),
  });
  expect(deopts).toHaveLength(2);
  expect(describeDeopts(deopts)).toEqual([]);
});

describe('inline caches', () => {
  test('in another state are a change; the worst state of a site counts', () => {
    const { cacheSites } = compareLogs({
      baseline: logOf({ sites: [siteOf({}), siteOf({ line: 8 })] }),
      candidate: logOf({
        sites: [siteOf({}), siteOf({ state: 'megamorphic' }), siteOf({ line: 8 })],
      }),
    });
    expect(cacheSites).toHaveLength(1);
    expect(cacheSites[0]).toMatchObject({ baseline: 'polymorphic', candidate: 'megamorphic' });
    expect(describeCacheSites(cacheSites)).toEqual([
      'Only the candidate has 1 megamorphic site, in write.',
    ]);
  });

  test('are the same sites if the whole function has moved', () => {
    const megamorphic = siteOf({ state: 'megamorphic' });
    const deopt = deoptOf({ late: 1 });
    const changes = compareLogs({
      baseline: logOf({ sites: [megamorphic], deopts: [deopt] }),
      candidate: logOf({
        line: 13,
        sites: [{ ...megamorphic, line: 15 }],
        deopts: [{ ...deopt, line: 15 }],
      }),
    });
    expect(changes).toEqual({ deopts: [], cacheSites: [], tiers: [] });
  });

  test('of an edited function are reported by their difference in number', () => {
    const at = (/** @type {number} */ line) => siteOf({ state: 'megamorphic', line });
    const { cacheSites } = compareLogs({
      baseline: logOf({ sites: [at(5), at(7)] }),
      candidate: logOf({ sites: [at(6), at(8), at(9)] }),
    });
    expect(cacheSites).toHaveLength(5);
    expect(describeCacheSites(cacheSites)).toEqual([
      'The candidate has 1 more megamorphic site, in write.',
    ]);
  });

  test('that only become polymorphic are not reported', () => {
    const { cacheSites } = compareLogs({
      baseline: logOf({}),
      candidate: logOf({ sites: [siteOf({})] }),
    });
    expect(cacheSites).toHaveLength(1);
    expect(describeCacheSites(cacheSites)).toEqual([]);
  });
});

test('a function that ends in another tier is listed with both', () => {
  const { tiers } = compareLogs({ baseline: logOf({}), candidate: logOf({ tier: 'baseline' }) });
  expect(tiers).toEqual([
    {
      function: 'write',
      file: 'codec/write.js',
      line: 3,
      baseline: 'optimized',
      candidate: 'baseline',
    },
  ]);
});

test('a single log has no changes', () => {
  const log = logOf({ deopts: [deoptOf({ late: 3 })] });
  expect(compareLogs({ baseline: null, candidate: log })).toEqual({
    deopts: [],
    cacheSites: [],
    tiers: [],
  });
});
