/** The ratios of A/A comparisons, a row a tool on one axis, with the arm that ran first. */

/** @import { PeersComparison, PeerTrial } from '../../harness/formats/types.ts' */
/** @import { Markup } from '../document/markup.js' */
/** @import { Block } from '../document/model.ts' */

import * as Plot from '@observablehq/plot';
import { ticks } from 'd3-array';
import { drawPlot } from '../document/plot.js';
import { SYMBOLS } from './process-plots.js';

const WIDTH = 520;
const ROW_HEIGHT = 34;
/** Ratios further from 1 than nearly all others are drawn at the edge. */
const DRAWN_SHARE = 0.98;
const MIN_REACH = 0.01;
/** Ticks of the axis, about. */
const TICK_COUNT = 6;

/** @typedef {PeerTrial & { ratio: number }} DrawnTrial */

/** @type {(peers: PeersComparison) => Block[]} none where no A/A comparison finished */
export function scatterFigure({ tools, trials }) {
  const same = trials.filter(isDrawn);
  if (same.length === 0) return [];
  const reach = chooseReach(same);
  return [
    {
      kind: 'table',
      name: 'scatter',
      only: ['html'],
      caption:
        'Ratios of A/A comparisons: how much slower the second name was. Circles: the baseline ran first; triangles: the candidate ran first. Filled: called different. Points beyond the axis are drawn at its edge.',
      label: 'Ratios of A/A comparisons',
      columns: [{ title: 'tool' }, { title: 'ratio', drawTitle: () => drawTicks(reach) }],
      rows: tools.flatMap(({ name }) => {
        const own = same.filter(({ tool }) => tool === name);
        return own.length === 0 ? [] : [[{ code: name }, { draw: () => drawTool(own, reach) }]];
      }),
    },
  ];
}

/** @type {(trial: PeerTrial) => trial is DrawnTrial} */
function isDrawn(trial) {
  return trial.injected === 0 && trial.ratio !== null && trial.failure === undefined;
}

/** @type {(trials: DrawnTrial[]) => number} largest deviation on the axis, log scale */
function chooseReach(trials) {
  const sizes = trials.map(({ ratio }) => Math.abs(Math.log(ratio))).sort((a, b) => a - b);
  const place = Math.min(sizes.length - 1, Math.floor(DRAWN_SHARE * sizes.length));
  return Math.max(MIN_REACH, sizes[place] ?? 0) * 1.05;
}

/**
 * @param {DrawnTrial[]} trials of a tool
 * @param {number} reach
 * @returns {Markup}
 */
function drawTool(trials, reach) {
  const different = trials.filter(({ conclusion }) => conclusion !== 'no difference').length;
  return drawPlot(`${trials.length} A/A ratios, ${different} called different`, {
    ...frameOf(reach, ROW_HEIGHT),
    marks: [
      Plot.ruleX([0], { className: 'one' }),
      ...trials.map((trial, index) =>
        Plot.dot([trial], {
          x: ({ ratio }) => Math.min(reach, Math.max(-reach, Math.log(ratio))),
          // Neighbours of one value would hide each other on one line.
          y: ((index % 5) - 2) * 0.32,
          r: 3.5,
          symbol: SYMBOLS[trial.first],
          className: `dot first-${trial.first}${trial.conclusion === 'no difference' ? '' : ' concluded-different'}`,
        }),
      ),
    ],
  });
}

/** @type {(reach: number) => Markup} */
function drawTicks(reach) {
  // Labels at the very edge would be cut.
  const edge = Math.expm1(reach) * 0.93;
  return drawPlot('axis of the ratios', {
    ...frameOf(reach, 16),
    marks: [
      Plot.text(
        ticks(-edge, edge, TICK_COUNT).filter((tick) => tick > Math.expm1(-reach)),
        { x: (tick) => Math.log1p(tick), y: 0, text: nameTick, className: 'tick' },
      ),
    ],
  });
}

/** @param {number} tick share */
function nameTick(tick) {
  const digits = String(Number(Math.abs(tick * 100).toPrecision(3)));
  return `${tick < 0 ? '−' : tick > 0 ? '+' : ''}${digits} %`;
}

/** @type {(reach: number, height: number) => Plot.PlotOptions} */
function frameOf(reach, height) {
  return {
    width: WIDTH,
    height,
    margin: 0,
    axis: null,
    x: { domain: [-reach, reach], range: [8, WIDTH - 8] },
    y: { domain: [-1, 1], range: [height, 0] },
  };
}
