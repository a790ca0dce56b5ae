/**
 * Summarises a comparison of several candidates for a page: a Markdown table with the throughput of each candidate
 * relative to the baseline, and a plot of it.
 *
 *     node scripts/draw-steps.js RUN [PLOT.svg]
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Plot from '@observablehq/plot';
import { drawPlot } from '../reports/document/plot.js';
import { nameRuntime } from '../harness/lib/words.js';

/** @import { Manifest, Verdict } from '../harness/formats/types.ts' */

const WIDTH = 760;
const HEIGHT = 300;
const STYLE = 'font: 12px system-ui, sans-serif; background: #fff; color: #24292f';
const COLORS = ['#0969da', '#bc4c00', '#1a7f37', '#8250df'];

/**
 * The geometric mean of a candidate over the corpora of an operation.
 *
 * @typedef {{ name: string, order: number, series: string, ratio: number, low: number, high: number }} Point
 */

/**
 * @param {string} run directory
 * @returns {{ baseline: string, names: string[], series: string[], points: Point[] }} throughput relative to the
 *   baseline
 */
function readRun(run) {
  /** @type {(name: string) => any} */
  const read = (name) => JSON.parse(readFileSync(join(run, name), 'utf8'));
  const { variants } = /** @type {Manifest} */ (read('manifest.json'));
  const { summaries } = /** @type {Verdict} */ (read('verdict.json'));
  const names = variants.candidates.map(({ spec }) => spec);
  const points = summaries.map(({ operation, runtime, candidate = 0, ratio }) => ({
    name: names[candidate],
    order: candidate,
    series:
      runtime === undefined ? operation : `${operation}, ${nameRuntime(runtime).split('.')[0]}`,
    // Of a time ratio, the inverse is the ratio of throughputs.
    ratio: 1 / ratio.estimate,
    low: 1 / ratio.high,
    high: 1 / ratio.low,
  }));
  const series = [...new Set(points.map((point) => point.series))];
  return { baseline: variants.baseline.spec, names, series, points };
}

/** @type {(run: ReturnType<typeof readRun>) => string} */
function writeTable({ baseline, names, series, points }) {
  const rows = names.map((name, order) => [
    `\`${name}\``,
    ...series.map((one) => {
      const point = points.find((each) => each.order === order && each.series === one);
      return point === undefined
        ? '–'
        : `×${point.ratio.toFixed(2)} (${point.low.toFixed(2)}–${point.high.toFixed(2)})`;
    }),
  ]);
  const head = [`against \`${baseline}\``, ...series];
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** @type {(run: ReturnType<typeof readRun>) => string} SVG */
function drawThroughput({ baseline, names, series, points }) {
  const first = series.map((one) => ({ name: baseline, series: one, ratio: 1, low: 1, high: 1 }));
  const all = [...first, ...points];
  const plot = drawPlot(`throughput relative to ${baseline}`, {
    width: WIDTH,
    height: HEIGHT,
    marginTop: 28,
    marginLeft: 46,
    marginRight: 150,
    marginBottom: 40,
    x: { type: 'point', domain: [baseline, ...names], label: null },
    y: {
      type: 'log',
      label: `throughput, ${baseline} = 1`,
      ticks: [1, 1.5, 2, 3, 4, 5],
      tickFormat: '~g',
      grid: true,
    },
    color: { domain: series, range: COLORS },
    marks: [
      Plot.ruleX(all, { x: 'name', y1: 'low', y2: 'high', stroke: 'series' }),
      Plot.line(all, { x: 'name', y: 'ratio', stroke: 'series' }),
      Plot.dot(all, { x: 'name', y: 'ratio', fill: 'series' }),
      Plot.text(
        all,
        Plot.selectLast({
          x: 'name',
          y: 'ratio',
          z: 'series',
          text: 'series',
          fill: 'series',
          textAnchor: 'start',
          dx: 10,
        }),
      ),
    ],
  });
  return String(plot).replace('<svg ', `<svg xmlns="http://www.w3.org/2000/svg" style="${STYLE}" `);
}

const [run, picture] = process.argv.slice(2);
if (run === undefined) throw new Error('name the directory of a run');
const read = readRun(run);
console.log(writeTable(read));
if (picture !== undefined) writeFileSync(picture, drawThroughput(read));
