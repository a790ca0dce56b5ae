/**
 * The flamegraphs of one cell: both arms and their difference. `page/flamegraph.js` draws them from the
 * data embedded here.
 */

/** @import { CellProfiles, Frame, ProfileView } from '../../harness/formats/profile-types.ts' */
/** @import { FlameData } from './flame-data.js' */
/** @import { Markup } from '../document/markup.js' */

import { escapeControl } from '../../harness/lib/escape.js';
import { prepareFlameData } from './flame-data.js';
import { markup, NOTHING, scriptJson } from '../document/markup.js';
import { countOf, formatCount, formatShare } from '../../harness/lib/numbers.js';

/** Nodes of each source at most; a browser draws that many without a pause. */
const BUDGET = 1500;

/** @type {Record<ProfileView['source'], string>} */
const SOURCES = {
  'v8-cpu-profile': 'V8’s functions',
  perf: 'native stacks',
  'v8-heap-profile': 'allocation',
};

/** @type {[Frame['kind'], string][]} */
const KINDS = [
  ['js', 'JavaScript'],
  ['builtin', 'V8 builtin'],
  ['code', 'compiled code'],
  ['native', 'native'],
  ['kernel', 'kernel'],
  ['gc', 'garbage collection'],
  ['program', 'unnamed native'],
];

/**
 * @typedef {object} VariantNames
 * @property {string} baseline
 * @property {string} candidate
 */

/**
 * @param {CellProfiles} cellProfiles
 * @param {VariantNames} names of the variants
 * @param {number} [budget] nodes of each source at most, if fewer than usual
 * @returns {Markup} nothing where all profiles are empty
 */
export function drawFlamegraph(cellProfiles, { baseline, candidate }, budget = BUDGET) {
  const names = {
    baseline: escapeControl(baseline),
    candidate: escapeControl(candidate),
  };
  const views = cellProfiles.views.filter(({ differential }) => differential.nodes.length > 0);
  if (views.length === 0) return NOTHING;
  const data = views.map((view) => prepareFlameData(view, Math.min(budget, BUDGET)));
  const notes = views.map((view, index) => describeView(view, data[index], names));
  const payload = { title: escapeControl(cellProfiles.cellId), names, views: data, notes };
  return markup`<div class="flame" data-view="difference">
${controls(views, names)}
${legend(views)}
<div class="flame-canvas"></div>
<div class="flame-tip" aria-hidden="true" hidden></div>
<p class="flame-note quiet">${notes[0] ?? null}</p>
<script type="application/json" class="flame-data">${scriptJson(payload)}</script>
</div>`;
}

/** @type {(views: ProfileView[], names: VariantNames) => Markup} */
function controls(views, names) {
  const sources = views.map(({ source }, index) => ({
    value: String(index),
    title: SOURCES[source],
  }));
  const shown = [
    { value: 'difference', title: 'difference' },
    { value: 'baseline', title: names.baseline },
    { value: 'candidate', title: names.candidate },
  ];
  const measures = [
    { value: 'self', title: 'self' },
    { value: 'total', title: 'total' },
  ];
  return markup`<form class="flame-controls" hidden>
${sources.length > 1 ? choices('Source', 'source', sources) : null}
${choices('Show', 'view', shown)}
${choices('Colour by', 'measure', measures)}
<label class="flame-search">Search <input type="search" name="term" autocomplete="off" spellcheck="false"></label>
<button type="button" class="flame-reset" disabled>Reset zoom</button>
<output class="flame-found"></output>
</form>`;
}

/**
 * Radio buttons, the first one chosen.
 * @type {(title: string, name: string, options: { value: string, title: string }[]) => Markup}
 */
function choices(title, name, options) {
  const buttons = options.map(
    (option, index) =>
      markup`<label><input type="radio" name="${name}" value="${option.value}"${index === 0 ? markup` checked` : null}><span>${option.title}</span></label>`,
  );
  return markup`<fieldset class="flame-${name}"><legend>${title}</legend>${buttons}</fieldset>`;
}

/**
 * How to read widths, colours and patterns, in the difference and in one arm.
 *
 * @param {ProfileView[]} views whose kinds of frames are named
 * @returns {Markup}
 */
function legend(views) {
  const present = new Set(
    views.flatMap(({ differential }) =>
      differential.nodes.map(({ frame }) => differential.frames[frame]?.kind),
    ),
  );
  const less = [4, 3, 2, 1].map((step) => markup`<i class="less-${step}"></i>`);
  const more = [1, 2, 3, 4].map((step) => markup`<i class="more-${step}"></i>`);
  const kinds = KINDS.filter(([kind]) => present.has(kind)).map(
    ([kind, title]) => markup`<span><i class="kind-${kind}"></i> ${title}</span>`,
  );
  return markup`<p class="flame-how"><span class="flame-legend-difference">The width of a frame is its total, including what it calls, in the arm where that is larger; its colour shows the change.</span><span class="flame-legend-arm">The width of a frame is its total, including what it calls.</span> Callees are below. Click or Enter zooms in, Escape zooms out.</p>
<p class="flame-legend flame-legend-difference"><span>▼ less ${less}<i class="same"></i>${more} more ▲</span>
<span><i class="is-gone less-2"></i> gone: only in the baseline</span> <span><i class="is-new more-2"></i> new: only in the candidate</span></p>
<p class="flame-legend flame-legend-arm">${kinds}</p>`;
}

/**
 * @param {ProfileView} view
 * @param {FlameData | undefined} data
 * @param {VariantNames} names
 * @returns {string} where the figures come from, and what is not drawn separately
 */
function describeView({ source, samples, processes, differential }, data, names) {
  const what = source === 'v8-heap-profile' ? 'Bytes allocated' : 'Time';
  const [baseline, candidate] = /** @type {const} */ (['baseline', 'candidate']).map(
    (arm) =>
      `${names[arm]}: ${countOf(samples[arm], 'sample')} from ${countOf(processes[arm], 'process', 'processes')}`,
  );
  const origin = `${what} per document; ${baseline}, ${candidate}.`;
  if (data === undefined || data.folded.nodes === 0) return origin;
  const shares = /** @type {const} */ (['baseline', 'candidate']).map((arm) => {
    const whole = differential.nodes.reduce((sum, node) => sum + node[arm], 0);
    return `${formatShare(whole > 0 ? data.folded[arm] / whole : 0)} of ${names[arm]}`;
  });
  return `${origin} “(other)” combines the smallest nodes of the call tree (${formatCount(data.folded.nodes)} of ${formatCount(differential.nodes.length)}): ${shares.join(', ')}.`;
}
