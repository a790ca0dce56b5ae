import { describe, expect, test } from '@jest/globals';
import { drawNormal } from '../../studies/simulation/noise.js';
import { drawUniform, seedGenerator } from '../random.js';
import { compareGroups, findDisturbance, planGroupBlock } from './side-by-side.js';

/** @import { GroupProcess } from '../../formats/types.ts' */

const cells = ['flat', 'deep'].map((corpus) => ({
  id: `serialize ${corpus}`,
  operation: 'serialize',
  corpus,
}));

/**
 * Blocks on two groups of one processor, of which the first is disturbed by jobs that allocate.
 *
 * @param {number} count of blocks
 * @param {object} world
 * @param {number} [world.slowdown] of every process beside them, as a share
 * @param {number} [world.pull] of the candidate besides
 * @param {number} [world.noiseFactor] of processes beside them
 * @param {number} [world.seed]
 * @returns {GroupProcess[]}
 */
function simulate(count, { slowdown = 0, pull = 0, noiseFactor = 1, seed = 1 }) {
  const random = seedGenerator(seed);
  return Array.from({ length: count }, (_, block) => {
    const { own, cell, jobs } = planGroupBlock({ seed, block, groups: ['0', '1'], cells });
    const levelNs = (cell.corpus === 'flat' ? 1_000 : 9_000) * Math.exp(0.1 * drawNormal(random));
    return jobs.map(({ beside, arm }) => {
      const isDisturbed = own === '0' && beside === 'allocation';
      const shift = isDisturbed
        ? Math.log1p(slowdown) + (arm === 'candidate' ? Math.log1p(pull) : 0)
        : 0;
      const noise = 0.02 * (isDisturbed ? noiseFactor : 1) * drawNormal(random);
      const ns = levelNs * (arm === 'candidate' ? 1.15 : 1) * Math.exp(shift + noise);
      return { cpus: own, beside, arm, cellId: cell.id, block, ns };
    });
  }).flat();
}

/** @type {(processes: GroupProcess[]) => ReturnType<typeof compareGroups>} */
const compare = (processes) => compareGroups([{ cpus: '0' }, { cpus: '1' }], processes);

describe('a block', () => {
  const blocks = [0, 1, 2, 3].map((block) =>
    planGroupBlock({ seed: 5, block, groups: ['a', 'b'], cells }),
  );

  test('has each arm beside each kind of jobs twice, mirrored', () => {
    for (const { jobs } of blocks) {
      expect(jobs).toEqual(jobs.toReversed());
      const half = jobs.slice(0, 6).map(({ beside, arm }) => `${beside} ${arm}`);
      expect(new Set(half).size).toBe(6);
    }
  });

  test('keeps jobs beside the same together, so that neighbours seldom start', () => {
    for (const { jobs } of blocks) {
      const changes = jobs.slice(1).filter(({ beside }, index) => beside !== jobs[index].beside);
      expect(changes).toHaveLength(4);
    }
  });

  test('is of each group and cell in turn', () => {
    const places = blocks.map(({ own, others, cell }) => [own, others, cell.corpus]);
    expect(places).toEqual([
      ['a', ['b'], 'flat'],
      ['b', ['a'], 'flat'],
      ['a', ['b'], 'deep'],
      ['b', ['a'], 'deep'],
    ]);
  });
});

describe('groups side by side', () => {
  test('have the slowdown, the bias and the noise of each, by what runs beside it', () => {
    const world = { slowdown: 0.2, pull: 0.1, noiseFactor: 3 };
    const [disturbed, quiet] = compare(simulate(400, world));
    const [arithmetic, allocation] = disturbed.effects;
    // The mean of both arms.
    expect(allocation.slowdown?.estimate).toBeCloseTo(1.2 * Math.sqrt(1.1), 2);
    expect(allocation.bias?.low).toBeLessThan(1.1);
    expect(allocation.bias?.high).toBeGreaterThan(1.1);
    expect(allocation.bias?.low).toBeGreaterThan(1.05);
    expect(allocation.noiseFactor).toBeGreaterThan(2.6);
    expect(allocation.noiseFactor).toBeLessThan(3.4);
    for (const effect of [arithmetic, ...quiet.effects]) {
      expect(effect.blocks).toBe(200);
      expect(effect.slowdown?.estimate).toBeCloseTo(1, 2);
      expect(effect.bias?.estimate).toBeCloseTo(1, 1);
      expect(effect.noiseFactor).toBeCloseTo(1, 0);
    }
  });

  test('have more noise where fewer processes have a figure', () => {
    const random = seedGenerator(2);
    const processes = simulate(400, {}).map((each) =>
      each.beside === 'allocation' && drawUniform(random) < 0.5 ? { ...each, ns: null } : each,
    );
    const [{ effects }] = compare(processes);
    expect(effects[1].noiseFactor).toBeGreaterThan(1.2);
    expect(effects[1].blocks).toBeLessThan(effects[0].blocks);
    expect(effects[0].noiseFactor).toBeCloseTo(1, 0);
  });

  test('have no figures before they were measured', () => {
    const [group] = compare([]);
    expect(group.effects[0]).toEqual({
      beside: 'arithmetic',
      blocks: 0,
      slowdown: null,
      bias: null,
      noiseFactor: null,
    });
    expect(findDisturbance(group)).toMatch(/^0 of at least 10 blocks/);
  });
});

describe('an agent', () => {
  /** @type {(world: Parameters<typeof simulate>[1], blocks?: number) => string | null} */
  const judge = (world, blocks = 120) => findDisturbance(compare(simulate(blocks, world))[0]);

  test('may run where others do not disturb it', () => {
    expect(judge({})).toBeNull();
    expect(judge({ slowdown: 0.01 })).toBeNull();
  });

  test.each([
    ['a slowdown', { slowdown: 0.1 }, /^a process takes ×1\.\d+ .* beside jobs that allocate$/],
    ['a speed-up', { slowdown: -0.1 }, /^a process takes ×0\.9\d+ /],
    ['a bias', { pull: 0.05, slowdown: -0.025 }, /^a ratio of two variants is ×1\.0\d+ /],
    ['noise', { noiseFactor: 2.5 }, /^noise is ×\d\.\d+ .*, above ×1\.41$/],
  ])('must not run where there is %s', (_, world, message) => {
    expect(judge(world)).toMatch(message);
  });

  test('must not run after few blocks, whatever they show', () => {
    expect(judge({}, 18)).toMatch(/^9 of at least 10 blocks/);
  });

  test('is refused in nearly all calibrations where the slowdown is the minimum effect', () => {
    const permitted = Array.from({ length: 400 }, (_, seed) =>
      judge({ slowdown: 0.03, seed }, 40),
    ).filter((reason) => reason === null);
    // One side of an interval of 95 %.
    expect(permitted.length / 400).toBeLessThan(0.05);
  });

  test('is permitted in most calibrations of a few minutes where nothing is disturbed', () => {
    const permitted = Array.from({ length: 100 }, (_, seed) => judge({ seed }, 80)).filter(
      (reason) => reason === null,
    );
    expect(permitted.length).toBeGreaterThan(80);
  });
});
