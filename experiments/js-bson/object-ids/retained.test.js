import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ObjectId as PooledObjectId } from './pooled.js';

const PROGRAMS = join(import.meta.dirname, 'test-support');

/** @param {string} program @param {string[]} [given] */
function runProgram(program, given = []) {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const path = join(PROGRAMS, program);
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', path, ...given], { env }) + '');
}

describe('an id, however it was created, takes', () => {
  test.each([
    ['buffer', 'buffer', { idBytes: [32], valueTypes: ['object'] }],
    ['string', 'hex', { idBytes: [32], valueTypes: ['string'], valueBytes: [40] }],
    ['latin1', 'text', { idBytes: [32], valueTypes: ['string'], valueBytes: [32] }],
    ['pooled', 'pool', { idBytes: [40], valueTypes: ['object'] }],
    ['packed', 'word0', { idBytes: [56] }],
  ])(
    '%s: an object and a field %s of exact size, without ropes or slices',
    (name, field, weights) => {
      const found = runProgram('weigh-ids.js', [name, field]);
      expect(Object.keys(found)).toHaveLength(9);
      for (const [way, weight] of Object.entries(found)) {
        expect({ way, ...weight }).toMatchObject({ way, ...weights });
      }
    },
  );
});

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
