/** What a flamegraph says in words: labels, tooltips, names for those who do not see it. */

/** @import { DifferentialProfile } from '../../harness/formats/profile-types.ts' */
/** @import { FlameNode, FlameView, Sides } from './flame-tree.js' */

import { formatChange, formatShare, formatSize, formatTime } from '../../harness/lib/numbers.js';
import { presenceOf } from './flame-tree.js';

/** Shares of the whole from which a change has the next stronger colour. */
const STEPS = [0.002, 0.01, 0.04, 0.12];

/** So many names of V8 begin with it that frames would show nothing else. */
const COMMON_PREFIX = 'v8::internal::';

/** @type {Record<FlameNode['kind'], string>} */
const KINDS = {
  js: 'JavaScript',
  builtin: 'V8 builtin',
  code: 'compiled code',
  native: 'native code',
  kernel: 'kernel',
  gc: 'garbage collection',
  program: 'native code that V8 does not tell apart',
  root: 'all that was recorded',
  other: 'places too small to draw',
};

/** Kinds that the name alone does not tell. @type {Partial<Record<FlameNode['kind'], string>>} */
const TAGS = { builtin: ' [builtin]', native: ' [native]', kernel: ' [kernel]' };

/**
 * What the words of one drawing depend on.
 *
 * @typedef {object} FlameContext
 * @property {FlameView} view
 * @property {'self' | 'total'} measure what the colours of the difference follow
 * @property {DifferentialProfile['unit']} unit
 * @property {Sides} whole totals of the root
 * @property {Record<'baseline' | 'candidate', string>} names
 */

/**
 * How strongly a change is coloured: −4…4, 0 for next to none.
 *
 * @param {FlameNode} node
 * @param {FlameContext} context
 * @returns {number}
 */
export function stepOf(node, { measure, whole }) {
  const change = node[measure].candidate - node[measure].baseline;
  const share = Math.abs(change) / Math.max(whole.baseline, whole.candidate);
  return Math.sign(change) * STEPS.filter((least) => share >= least).length;
}

/**
 * The text within a frame; the sign comes first, so that narrow frames show it too.
 *
 * @param {FlameNode} node
 * @param {FlameContext} context
 * @returns {string}
 */
export function labelNode(node, context) {
  const name = node.name.replaceAll(COMMON_PREFIX, '') + (TAGS[node.kind] ?? '');
  if (context.view !== 'difference') {
    return `${name} ${formatWeight(node.total[context.view], context.unit)}`;
  }
  if (node.kind === 'root') {
    const { baseline, candidate, change } = describeSides(node.total, context.unit);
    return `${name}: ${baseline} → ${candidate}, ${change}`;
  }
  const step = stepOf(node, context);
  const sign = step === 0 ? '' : step > 0 ? '▲ ' : '▼ ';
  const presence = presenceOf(node.total);
  const isOneSided = presence === 'gone' || presence === 'new';
  const word = isOneSided ? ` ${presence}${node.isElsewhere ? ' here' : ''}` : '';
  const { baseline, candidate } = node[context.measure];
  const figure = step === 0 ? '' : ` ${signWeight(candidate - baseline, context.unit)}`;
  return sign + name + word + figure;
}

/**
 * All about a frame in one sentence.
 *
 * @param {FlameNode} node
 * @param {FlameContext} context
 * @returns {string}
 */
export function describeNode(node, context) {
  const { names, whole, unit } = context;
  const rows = weightRows(node, unit).map(
    ({ title, baseline, candidate, change }) =>
      `${title} ${baseline} in ${names.baseline}, ${candidate} in ${names.candidate}, ${change}`,
  );
  const shares = `${shareOf(node, whole, 'baseline')} and ${shareOf(node, whole, 'candidate')} of the whole`;
  return [node.name, originOf(node), ...rows, shares].join('; ');
}

/**
 * @param {FlameNode} node
 * @returns {string} `JavaScript, codec/write-text.js:15`
 */
export function originOf(node) {
  const place =
    node.file === null ? '' : `, ${node.file}${node.line === null ? '' : `:${node.line}`}`;
  return KINDS[node.kind] + place + describeFate(node);
}

/**
 * @param {FlameNode} node
 * @returns {string} nothing where both sides have it
 */
function describeFate(node) {
  const presence = presenceOf(node.total);
  if (presence !== 'gone' && presence !== 'new') return '';
  if (!node.isElsewhere) return `, ${presence} in the candidate`;
  const side = presence === 'gone' ? 'baseline' : 'candidate';
  return `, called from here by the ${side} alone, by the other side from elsewhere`;
}

/**
 * @param {FlameNode} node
 * @param {DifferentialProfile['unit']} unit
 * @returns {{ title: string, baseline: string, candidate: string, change: string }[]}
 */
export function weightRows(node, unit) {
  return [
    { title: 'self', ...describeSides(node.self, unit) },
    { title: 'total', ...describeSides(node.total, unit) },
  ];
}

/**
 * @param {Sides} sides
 * @param {DifferentialProfile['unit']} unit
 * @returns {{ baseline: string, candidate: string, change: string }}
 */
function describeSides({ baseline, candidate }, unit) {
  const percent =
    baseline > 0 && candidate > 0 ? ` (${formatChange(candidate / baseline).change})` : '';
  return {
    baseline: formatWeight(baseline, unit),
    candidate: formatWeight(candidate, unit),
    change: signWeight(candidate - baseline, unit) + percent,
  };
}

/**
 * @param {FlameNode} node
 * @param {Sides} whole
 * @param {'baseline' | 'candidate'} side
 * @returns {string} `12 %`
 */
export function shareOf(node, whole, side) {
  return formatShare(whole[side] > 0 ? node.total[side] / whole[side] : 0);
}

/**
 * @param {{ matches: number, total: Sides }} found
 * @param {FlameContext} context
 * @returns {string} `3 frames match: 12 % of recursive, 54 % of generator`
 */
export function describeMatches({ matches, total }, { whole, names }) {
  if (matches === 0) return 'no frame matches';
  const sides = /** @type {const} */ (['baseline', 'candidate']).map((side) => {
    const share = whole[side] > 0 ? total[side] / whole[side] : 0;
    return `${formatShare(share)} of ${names[side]}`;
  });
  return `${matches} ${matches === 1 ? 'frame matches' : 'frames match'}: ${sides.join(', ')}`;
}

/**
 * @param {number} change
 * @param {DifferentialProfile['unit']} unit
 * @returns {string} `+1.20 µs`, `−34.0 ns`, `±0`
 */
function signWeight(change, unit) {
  if (change === 0) return '±0';
  return `${change > 0 ? '+' : '−'}${formatWeight(Math.abs(change), unit)}`;
}

/**
 * @param {number} weight per document
 * @param {DifferentialProfile['unit']} unit
 * @returns {string}
 */
function formatWeight(weight, unit) {
  if (unit === 'ns') return formatTime(weight);
  return weight > 0 && weight < 0.5 ? '<1 byte' : formatSize(weight);
}
