import { readFileSync, writeFileSync } from 'node:fs';
import { displayWidth } from '../../harness/lib/columns.js';
import { makeCell, makeManifest, makeVerdict } from '../fixtures/build.js';
import { findUnseen, POISON } from '../fixtures/hostile.js';
import { renderAnswer } from '../fixtures/render.js';
import { describeHosts, describeSettled, describeStep, drawProgress } from './progress.js';

/** @import { CellProgress, HostProgress, Progress } from '../../harness/formats/types.ts' */
/** @import { CellSketch } from '../fixtures/build.js' */

const MUST_UPDATE = process.env.ASSAY_UPDATE_GOLDEN === '1';

/**
 * @typedef {Partial<CellSketch & Pick<CellProgress, 'state' | 'lastJob'>> & { name: string, candidate?: number }} RowSketch
 *   `name`: operation and corpus
 */

/** @type {(sketch: RowSketch) => CellProgress} */
function makeRow({ name, state = 'waiting', candidate, processes = 0, lastJob = -1, ...sketch }) {
  const [operation, corpus] = name.split(' ');
  const { verdict = 'inconclusive', ratio = [1, 1, 1] } = sketch;
  const made = makeCell({ operation, corpus, ...sketch, verdict, ratio, processes });
  const cell = { ...made.cell, ...(candidate === undefined ? {} : { candidate }) };
  const comparison = sketch.ratio === undefined ? null : { ...made, cell };
  return { cell, state, processes, lastJob, comparison };
}

/** @type {(rows: RowSketch[], progress?: Partial<Progress>, candidates?: string[]) => Progress} */
function makeProgress(rows, progress = {}, candidates = ['linked-list']) {
  const question = { ...makeManifest().question, candidates };
  const comparison = { question, rows: rows.map(makeRow) };
  return { step: 'deserialize flat · look 2 of 4', comparison, ...progress };
}

const NAMES = ['serialize flat', 'serialize deep', 'deserialize flat', 'deserialize deep'];
const waiting = NAMES.map((name) => ({ name }));
/** @type {RowSketch[]} */
const looked = [
  {
    name: 'serialize flat',
    state: 'settled',
    verdict: 'faster',
    strong: true,
    ratio: [0.471, 0.482, 0.493],
    processes: 16,
  },
  { name: 'serialize deep', state: 'measuring', ratio: [0.91, 0.952, 1.004], processes: 19 },
  { name: 'deserialize flat', state: 'measuring', ratio: [0.97, 1.02, 1.07], processes: 18 },
  { name: 'deserialize deep', state: 'failed', processes: 7 },
];
/** @type {RowSketch[]} */
const settled = [
  looked[0],
  {
    name: 'serialize deep',
    state: 'settled',
    verdict: 'faster',
    ratio: [0.931, 0.952, 0.975],
    processes: 64,
  },
  {
    name: 'deserialize flat',
    state: 'settled',
    verdict: 'equivalent',
    ratio: [0.991, 1.004, 1.018],
    processes: 128,
  },
  {
    name: 'deserialize deep',
    state: 'settled',
    verdict: 'slower',
    ratio: [1.021, 1.043, 1.065],
    processes: 32,
  },
];

/** @type {(host: string, state: HostProgress['state'], more?: Partial<HostProgress>) => HostProgress} */
const makeHost = (host, state, more = {}) => ({
  ...{ host, state, blocks: 12, failed: 0, quietSeconds: 2.7 },
  ...more,
});
/** A reason that is too long for a line. */
const reason = 'sources of Assay and the family differ (sha256:1f0c…, not sha256:9b2e…)';
const hosts = [
  makeHost('bench-1', 'measuring'),
  makeHost('bench-2', 'silent', { blocks: 7, failed: 1, quietSeconds: 14.2 }),
  makeHost('laptop', 'refused', { blocks: 0, quietSeconds: 95, reason }),
];
const manyHosts = [
  ...hosts,
  ...Array.from({ length: 18 }, (_, index) =>
    makeHost(`rack-${index}`, index < 10 ? 'measuring' : 'waiting'),
  ),
];

/** A comparison from its beginning to its end, and over a fleet. @type {Progress[]} */
const FRAMES = [
  makeProgress(waiting, { step: 'correctness check' }),
  makeProgress(
    waiting.map((row, index) => (index < 2 ? { ...row, state: 'measuring', processes: 4 } : row)),
    {
      step: 'serialize flat · look 1 of 4',
      secondsElapsed: 5.4,
      secondsLeft: 431.2,
      isUpperBound: true,
      next: ['memory', 'placement', 'profiles'],
    },
  ),
  makeProgress(looked, {
    secondsElapsed: 40,
    secondsLeft: 100,
    next: ['memory', 'placement', 'profiles'],
  }),
  makeProgress(settled, {
    step: 'code placement · serialize deep · job 9 of 24',
    secondsElapsed: 130,
    secondsLeft: 52,
    next: ['profiles'],
  }),
  makeProgress(settled, {
    step: 'profile · deopts/deserialize deep/0/candidate · job 60 of 60',
    secondsElapsed: 3700,
    secondsLeft: 2,
  }),
  makeProgress(waiting, { step: 'serialize flat · look 1 of 4', hosts: [] }),
  ...[hosts, manyHosts].map((each) =>
    makeProgress(looked, { secondsElapsed: 40, secondsLeft: 100, next: ['profiles'], hosts: each }),
  ),
];

/** @type {(progress: Progress, width: number, height?: number, color?: boolean) => string[]} */
const draw = (progress, width, height = 24, color = false) =>
  drawProgress(progress, { width, height, color });

describe('the live table', () => {
  test.each([60, 80, 120])('fills as kept, in %i columns', (columns) => {
    const frames = FRAMES.map((progress) => draw(progress, columns - 1).join('\n'));
    const text = `${frames.join(`\n${'-'.repeat(columns)}\n`)}\n`;
    const file = new URL(`../golden/live-table.${columns}.txt`, import.meta.url);
    if (MUST_UPDATE) writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
  });

  test('names the candidates of a comparison of several', () => {
    const rows = [0, 1].map((candidate) => ({ ...looked[0], candidate }));
    const [header, ...lines] = draw(makeProgress(rows, {}, ['indexed', 'linked-list']), 79);
    expect(header).toMatch(/^time per document +generator +candidate +ratio +interval/);
    expect(lines[0]).toMatch(/^serialize {2}flat {2}indexed .*▼ 0\.482/);
    expect(lines[1]).toMatch(/^ +linked-list .*▼ 0\.482/);
  });

  test('becomes the table of the report', () => {
    const { comparison } = makeProgress(settled);
    const cells = (comparison?.rows ?? []).flatMap((row) => row.comparison ?? []);
    const report = renderAnswer(
      { manifest: makeManifest(), verdict: makeVerdict(cells) },
      { width: 79 },
    ).split('\n');
    const table = draw(makeProgress(settled), 79).slice(0, 7);
    expect(table[0]).toMatch(/^time per document /);
    expect(report.join('\n')).toContain(table.join('\n'));
  });

  test.each([20, 39, 40, 50, 60, 70, 79, 100, 250])('fits %i columns', (width) => {
    for (const progress of FRAMES) {
      const lines = draw(progress, width);
      expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
    }
  });

  test('leaves columns out of a narrow terminal: times, plot', () => {
    const titles = [120, 79, 60, 45].map((width) => draw(FRAMES[2], width)[0]);
    expect(titles[0]).toMatch(/generator {2}linked-list +ratio +interval .*1/);
    expect(titles[1]).toMatch(/generator {2}linked-list +ratio +interval .*1/);
    expect(titles[2]).toMatch(/^time per document +ratio +interval .*1/);
    expect(titles[3]).toMatch(/^time per document +ratio +interval$/);
    expect(draw(FRAMES[2], 30)).toHaveLength(2);
  });

  test('shows open cells, the latest results and what follows where there is no room for all', () => {
    const lines = draw(FRAMES[2], 79, 7);
    expect(lines).toHaveLength(7);
    expect(lines[1]).toMatch(/^serialize {4}deep .*… 0\.952/);
    expect(lines[2]).toMatch(/^deserialize {2}flat .*… 1\.020/);
    expect(lines[3]).toBe('… 2 more: 1 settled, 1 failed');
    expect(draw(FRAMES[2], 79, 5)).toHaveLength(2);

    const early = makeProgress([
      {
        name: 'a flat',
        state: 'settled',
        processes: 8,
        lastJob: 15,
        verdict: 'faster',
        ratio: [0.5, 0.6, 0.7],
      },
      {
        name: 'b flat',
        state: 'settled',
        processes: 8,
        lastJob: 31,
        verdict: 'faster',
        ratio: [0.5, 0.6, 0.7],
      },
      { name: 'c flat', state: 'measuring', processes: 2, lastJob: 35 },
      { name: 'd flat' },
      { name: 'e flat' },
    ]);
    const shown = (/** @type {number} */ height) =>
      draw(early, 79, height)
        .slice(1, -2)
        .map((line) => line.replace(/ {2}flat .*([▼…]) .*/, ' $1'));
    expect(shown(5)).toEqual(['c …', '… 4 more: 2 settled, 2 waiting']);
    expect(shown(6)).toEqual(['b ▼', 'c …', '… 3 more: 1 settled, 2 waiting']);
    expect(shown(7)).toEqual(['a ▼', 'b ▼', 'c …', '… 2 more: 2 waiting']);
  });

  test('writes in colour what the marks say too', () => {
    const lines = draw(FRAMES[2], 79, 24, true);
    expect(lines[1]).toContain('\u001b[32m▼ 0.482');
    // eslint-disable-next-line no-control-regex
    const plain = lines.map((line) => line.replaceAll(/\u001b\[\d*m/g, ''));
    expect(plain).toEqual(draw(FRAMES[2], 79));
  });

  test('leaves hosts out of a low terminal, and their lines before those of cells', () => {
    const fleet = makeProgress(looked, { hosts: manyHosts });
    const linesOf = (/** @type {number} */ height) => draw(fleet, 79, height);
    for (let height = 3; height < 30; height++) {
      expect(linesOf(height).length).toBeLessThanOrEqual(height);
    }
    expect(linesOf(8).filter((line) => line.includes('bench'))).toEqual([]);
    expect(linesOf(8).filter((line) => line.includes(' … '))).toHaveLength(2);
    for (let width = 40; width < 100; width++) {
      expect(draw(fleet, width).join('\n')).toMatch(/^bench-2 .* silent for 14 s$/m);
    }
    const low = linesOf(12).join('\n');
    expect(low).toMatch(/^bench-2 .* silent for 14 s$/m);
    expect(low).toMatch(/^and 19 more: 11 measuring, 8 waiting$/m);
  });

  test('names cannot control the terminal', () => {
    const row = { ...looked[0], name: `${POISON.replaceAll(' ', '')} flat`, candidate: 1 };
    const progress = makeProgress(
      [row],
      { step: POISON, hosts: [makeHost(POISON, 'refused', { reason: POISON })] },
      ['indexed', POISON],
    );
    for (const width of [60, 120]) {
      expect(findUnseen(draw(progress, width).join('\n'))).toBeNull();
    }
  });

  test('work without cells has a line alone', () => {
    expect(draw({ step: '3 of 40 scenarios' }, 79)).toEqual(['3 of 40 scenarios']);
  });
});

test('the bar is the share of the time that is over', () => {
  const [bar] = draw({ step: 'x', secondsElapsed: 30, secondsLeft: 90 }, 60);
  expect(bar).toMatch(/^█+░+ {2}25 % {2}30 s elapsed, about 1 min 30 s left$/);
  const [done, left] = [/█+/, /░+/].map((part) => part.exec(bar)?.[0].length ?? 0);
  expect(done / (done + left)).toBeCloseTo(0.25, 1);
  const unknown = { step: 'x', secondsElapsed: 2, secondsLeft: NaN };
  expect(draw(unknown, 60)).toEqual(['2 s elapsed', 'x']);
});

test('a log has a line for each settled cell, and one for the step', () => {
  expect(describeSettled(FRAMES[2].comparison).map(({ line }) => line)).toEqual([
    'serialize flat · faster, strong · ratio 0.482 (95 % interval 0.471–0.493) · 16 processes',
    'deserialize deep · job failed · 7 processes',
  ]);
  expect(describeStep(FRAMES[2])).toBe(
    '1 of 4 cells settled · deserialize flat · look 2 of 4 · 40 s elapsed, about 1 min 40 s left',
  );
  expect(describeStep({ step: 'trial 3' })).toBe('trial 3');
  expect(describeStep({ step: 'x', hosts })).toBe('x · 3 hosts, 1 measuring, 1 silent, 1 refused');
  expect(describeStep({ step: 'x', hosts: [] })).toBe('x · no host yet');
  // A refusal is a note of its own.
  expect(describeHosts(hosts).map(({ line }) => line)).toEqual([
    'host bench-1 measures',
    'host bench-2 is silent',
  ]);
});
