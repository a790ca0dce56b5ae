/** Texts of a flamegraph: labels, tooltips, names for screen readers. */

/** @import { DifferentialProfile } from '../../harness/formats/profile-types.ts' */
/** @import { FlameNode, FlameView, ArmWeights } from './flame-tree.js' */

import { formatChange, formatShare, formatSize, formatTime } from '../../harness/lib/numbers.js';
import { presenceOf } from './flame-tree.js';

/** Shares of the whole from which a change has the next stronger colour. */
const STEPS = [0.002, 0.01, 0.04, 0.12];

/** Left out: narrow frames would show nothing else of V8's own functions. */
const COMMON_PREFIX = 'v8::internal::';

/** @type {Record<FlameNode['kind'], string>} */
const KINDS = {
  js: 'JavaScript',
  builtin: 'V8 builtin',
  code: 'compiled code',
  native: 'native code',
  kernel: 'kernel',
  gc: 'garbage collection',
  program: 'native code that V8 does not name',
  root: 'everything recorded',
  other: 'nodes too small to draw',
};

/** Marks kinds that the name does not show. @type {Partial<Record<FlameNode['kind'], string>>} */
const TAGS = { builtin: ' [builtin]', native: ' [native]', kernel: ' [kernel]' };

/**
 * What the texts of one drawing depend on.
 *
 * @typedef {object} FlameContext
 * @property {FlameView} view
 * @property {'self' | 'total'} measure what colours of the difference show
 * @property {DifferentialProfile['unit']} unit
 * @property {ArmWeights} whole totals of the root
 * @property {Record<'baseline' | 'candidate', string>} names
 */

/**
 * How strongly a change is coloured: −4 to 4, 0 for almost none.
 * @type {(node: FlameNode, context: FlameContext) => number}
 */
export function stepOf(node, { measure, whole }) {
  const change = node[measure].candidate - node[measure].baseline;
  const share = Math.abs(change) / Math.max(whole.baseline, whole.candidate);
  return Math.sign(change) * STEPS.filter((least) => share >= least).length;
}

/**
 * The text in a frame; the sign comes first so that narrow frames show it too.
 * @type {(node: FlameNode, context: FlameContext) => string}
 */
export function labelNode(node, context) {
  const name = node.name.replaceAll(COMMON_PREFIX, '') + (TAGS[node.kind] ?? '');
  if (context.view !== 'difference') {
    return `${name} ${formatWeight(node.total[context.view], context.unit)}`;
  }
  if (node.kind === 'root') {
    const { baseline, candidate, change } = describeWeights(node.total, context.unit);
    return `${name}: ${baseline} → ${candidate}, ${change}`;
  }
  const step = stepOf(node, context);
  const sign = step === 0 ? '' : step > 0 ? '▲ ' : '▼ ';
  const presence = presenceOf(node.total);
  const isInOneArm = presence === 'gone' || presence === 'new';
  const word = isInOneArm ? ` ${presence}${node.isElsewhere ? ' here' : ''}` : '';
  const { baseline, candidate } = node[context.measure];
  const figure = step === 0 ? '' : ` ${signWeight(candidate - baseline, context.unit)}`;
  return sign + name + word + figure;
}

/**
 * Everything about a frame in one sentence.
 * @type {(node: FlameNode, context: FlameContext) => string}
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

/** @type {(node: FlameNode) => string} `JavaScript, codec/write-text.js:15` */
export function originOf(node) {
  const place =
    node.file === null ? '' : `, ${node.file}${node.line === null ? '' : `:${node.line}`}`;
  return KINDS[node.kind] + place + describeFate(node);
}

/** @type {(node: FlameNode) => string} empty where both arms run it */
function describeFate(node) {
  const presence = presenceOf(node.total);
  if (presence !== 'gone' && presence !== 'new') return '';
  if (!node.isElsewhere) return `, ${presence} in the candidate`;
  const arm = presence === 'gone' ? 'baseline' : 'candidate';
  return `, called from here only by the ${arm}; the other arm calls it from elsewhere`;
}

/**
 * @param {FlameNode} node
 * @param {DifferentialProfile['unit']} unit
 * @returns {{ title: string, baseline: string, candidate: string, change: string }[]}
 */
export function weightRows(node, unit) {
  return [
    { title: 'self', ...describeWeights(node.self, unit) },
    { title: 'total', ...describeWeights(node.total, unit) },
  ];
}

/**
 * @param {ArmWeights} arms
 * @param {DifferentialProfile['unit']} unit
 * @returns {{ baseline: string, candidate: string, change: string }}
 */
function describeWeights({ baseline, candidate }, unit) {
  const percent =
    baseline > 0 && candidate > 0 ? ` (${formatChange(candidate / baseline).change})` : '';
  return {
    baseline: formatWeight(baseline, unit),
    candidate: formatWeight(candidate, unit),
    change: signWeight(candidate - baseline, unit) + percent,
  };
}

/** @type {(node: FlameNode, whole: ArmWeights, arm: 'baseline' | 'candidate') => string} `12 %` */
export function shareOf(node, whole, arm) {
  return formatShare(whole[arm] > 0 ? node.total[arm] / whole[arm] : 0);
}

/**
 * @param {{ matches: number, total: ArmWeights }} found
 * @param {FlameContext} context
 * @returns {string} `3 frames match: 12 % of recursive, 54 % of generator`
 */
export function describeMatches({ matches, total }, { whole, names }) {
  if (matches === 0) return 'no frame matches';
  const arms = /** @type {const} */ (['baseline', 'candidate']).map((arm) => {
    const share = whole[arm] > 0 ? total[arm] / whole[arm] : 0;
    return `${formatShare(share)} of ${names[arm]}`;
  });
  return `${matches} ${matches === 1 ? 'frame matches' : 'frames match'}: ${arms.join(', ')}`;
}

/** @type {(change: number, unit: DifferentialProfile['unit']) => string} `+1.20 µs`, `−34.0 ns`, `±0` */
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
