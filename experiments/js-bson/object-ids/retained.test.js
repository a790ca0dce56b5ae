import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ObjectId as PooledObjectId } from './pooled.js';

const PROGRAMS = join(import.meta.dirname, 'test-support');

/**
 * @param {string} program
 * @param {string[]} [given]
 */
function runProgram(program, given = []) {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const path = join(PROGRAMS, program);
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', path, ...given], { env }) + '');
}

describe('an id, however it was made, takes', () => {
  test.each([
    ['buffer', 'buffer', { idBytes: [32], valueTypes: ['object'] }],
    ['string', 'hex', { idBytes: [32], valueTypes: ['string'], valueBytes: [40] }],
    ['latin1', 'text', { idBytes: [32], valueTypes: ['string'], valueBytes: [32] }],
    ['pooled', 'pool', { idBytes: [40], valueTypes: ['object'] }],
    ['packed', 'word0', { idBytes: [56] }],
  ])('%s: an object with %s of exact size, and no rope or slice', (name, field, weights) => {
    const found = runProgram('weigh-ids.js', [name, field]);
    expect(Object.keys(found)).toHaveLength(9);
    for (const [way, weight] of Object.entries(found)) {
      expect({ way, ...weight }).toMatchObject({ way, ...weights });
    }
  });
});

describe('a pool', () => {
  test('goes with the last of its ids when it was full, and lives while one of them does', () => {
    expect(runProgram('drop-pools.js')).toEqual({
      abandoned: false,
      kept: true,
      halfFull: true,
      survivorIsWhole: true,
    });
  });

  test('takes as many ids as the class says, and none that was refused', () => {
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

/**
 * @returns {Uint8Array} the pool that was open, full now
 */
function fillOpenPool() {
  for (;;) {
    const { pool, offset } = new PooledObjectId();
    if (offset + 12 === pool.length) return pool;
  }
}
