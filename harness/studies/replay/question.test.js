import { describe, expect, test } from '@jest/globals';
import { makeManifest } from '../../../reports/fixtures/build.js';
import { checkNodeFlags, makeReplayQuestion } from './question.js';

describe('flags for Node in a report', () => {
  test.each(['--predictable', '--no-opt', '--max-semi-space-size=64', '--max_old_space_size=512'])(
    'pass when they only steer V8: %s',
    (flag) => {
      expect(() => checkNodeFlags([flag])).not.toThrow();
    },
  );

  test.each([
    '--require=./x.js',
    '--import=data:text/javascript,0',
    '-r',
    '--loader=./x.js',
    '--inspect=0.0.0.0:9229',
    '--redirect-code-traces-to=/tmp/x',
    '--logfile=/tmp/x',
    '--cpu-prof',
    '--max-old-space-size=1;id',
    '--max-old-space-size',
    '--predictable=1',
    '__predictable',
    '--predictable\n--cpu-prof',
    './script.js',
  ])('are refused by name when they are not known to be harmless: %j', (flag) => {
    expect(() => checkNodeFlags(['--predictable', flag])).toThrow(/gives Node the flag '/);
  });
});

const specs = { baseline: 'generator', candidate: 'git:../mine@abc' };
const CHOICES = { node: null, allowsBuild: false, budgetSeconds: null };

describe('the question that is asked again', () => {
  test('has the cells, seed, looks and flags of the report, and the specs of this host', () => {
    const { question } = makeManifest({ nodeFlags: ['--no-opt'], budgetSeconds: 90 });
    expect(makeReplayQuestion({ question }, specs, CHOICES)).toEqual({ ...question, ...specs });
  });

  test('neither profiles nor measures memory, and is no part of a plan', () => {
    const { question } = makeManifest({
      explain: 'all',
      recorders: ['perf'],
      memory: 'too',
      shard: { index: 1, count: 2, cells: [] },
    });
    const asked = makeReplayQuestion({ question }, specs, CHOICES);
    expect(asked).toMatchObject({ explain: 'none', recorders: [], memory: 'none' });
    expect(asked).not.toHaveProperty('shard');
  });

  test('runs the build command of the report only when the user lets it', () => {
    const { question } = makeManifest({ build: 'npm run build' });
    expect(makeReplayQuestion({ question }, specs, CHOICES)).not.toHaveProperty('build');
    const allowed = makeReplayQuestion({ question }, specs, { ...CHOICES, allowsBuild: true });
    expect(allowed.build).toBe('npm run build');
  });

  test('names the Node for cells without one, and keeps their names, which order the jobs', () => {
    const { question } = makeManifest();
    const [first, ...others] = question.cells;
    if (first === undefined) throw new Error('the fixture has cells');
    const cells = [{ ...first, node: '24.1.0' }, ...others];
    const asked = makeReplayQuestion({ question: { ...question, cells } }, specs, {
      ...CHOICES,
      node: '22.11.0',
    });
    expect(asked.cells.map(({ id }) => id)).toEqual(cells.map(({ id }) => id));
    expect(new Set(asked.cells.slice(1).map(({ node }) => node))).toEqual(new Set(['22.11.0']));
    expect(asked.cells[0]?.node).toBe('24.1.0');
  });

  test('takes the budget of the user rather than that of the report', () => {
    const { question } = makeManifest({ budgetSeconds: 90 });
    const asked = makeReplayQuestion({ question }, specs, { ...CHOICES, budgetSeconds: 5 });
    expect(asked.budgetSeconds).toBe(5);
  });
});
