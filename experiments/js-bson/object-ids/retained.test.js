import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { testLong } from '../../../harness/testing/support/gates.js';
import { ObjectId as PooledObjectId } from './pooled.js';

const PROGRAMS = join(import.meta.dirname, 'test-support');

/** @param {string} program @param {string[]} [given] */
function runProgram(program, given = []) {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const path = join(PROGRAMS, program);
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', path, ...given], { env }) + '');
}

/** By class and field. */
const WEIGHTS = {
  'buffer.buffer': { idBytes: [32], valueTypes: ['object'] },
  'string.hex': { idBytes: [32], valueTypes: ['string'], valueBytes: [40] },
  'latin1.text': { idBytes: [32], valueTypes: ['string'], valueBytes: [32] },
  'pooled.pool': { idBytes: [40], valueTypes: ['object'] },
  'packed.word0': { idBytes: [56] },
};

testLong(
  'an id, however it was created, takes an object and a field of exact size, without ropes or slices',
  () => {
    const found = runProgram('weigh-ids.js', Object.keys(WEIGHTS));
    for (const [argument, weights] of Object.entries(WEIGHTS)) {
      const ways = Object.entries(found[argument.split('.')[0]]);
      expect(ways).toHaveLength(9);
      for (const [way, weight] of ways)
        expect({ way, ...weight }).toMatchObject({ way, ...weights });
    }
  },
);

describe('a pool', () => {
  test('lives as long as one of its ids, and is released with the last if it was full', () => {
    expect(runProgram('drop-pools.js')).toEqual({
      abandoned: false,
      kept: true,
      halfFull: true,
      survivorIsWhole: true,
    });
  });

  test('has poolSize ids, none of them for rejected input', () => {
    PooledObjectId.poolSize = 3;
    const first = fillOpenPool();
    expect(() => new PooledObjectId('x')).toThrow();
    const next = [new PooledObjectId(), new PooledObjectId(), new PooledObjectId()];
    PooledObjectId.poolSize = 1000;
    expect(next.map(({ offset }) => offset)).toEqual([0, 12, 24]);
    expect(next.every(({ pool }) => pool === next[0]?.pool && pool.length === 36)).toBe(true);
    expect(next[0]?.pool).not.toBe(first);
  });
});

/** @returns {Uint8Array} the current pool, which is then full */
function fillOpenPool() {
  for (;;) {
    const { pool, offset } = new PooledObjectId();
    if (offset + 12 === pool.length) return pool;
  }
}
