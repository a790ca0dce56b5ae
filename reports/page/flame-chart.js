/// <reference lib="dom" />
/** Drives d3-flame-graph and adds what it lacks: roles and names for screen readers, colours by meaning,
 * keyboard focus, and a drawing that is complete at once instead of after timers. */

/** @import { FlameNode } from './flame-tree.js' */
/** @import { FlameContext } from './flame-words.js' */

import { presenceOf } from './flame-tree.js';
import { describeNode, labelNode, stepOf } from './flame-words.js';

/** Narrower frames are too small to point at and left out until a zoom makes room for them. */
const NARROWEST_PX = 2;
const COLOUR_STEPS = [0, 1, 2, 3, 4];
/** For a canvas in a closed section, which has no width yet. */
const DEFAULT_PX = 960;
const ROW_PX = 21;
/** On touch screens. */
const TOUCH_ROW_PX = 28;

/**
 * A node with its position, as d3-hierarchy makes it.
 *
 * @typedef {object} PlacedNode
 * @property {FlameNode} data
 * @property {number} depth
 * @property {number} height levels below it
 * @property {number} x0 share of the width
 * @property {number} x1
 * @property {PlacedNode | null} parent
 * @property {PlacedNode[]} [children]
 * @property {boolean} [highlight] whether the search matched it
 */

/**
 * @typedef {object} FlameChart
 * @property {(node: PlacedNode) => void} zoomTo
 * @property {() => void} resetZoom
 * @property {() => number} zoomedIndex `index` of the node that fills the width
 * @property {(isMatch: ((node: FlameNode) => boolean) | null) => void} search null ends it
 * @property {() => void} fit to the current width, where it changed
 * @property {Map<number, SVGGElement>} elements of the frames that are drawn, by `index`
 * @property {PlacedNode} root
 */

/**
 * Draws a tree into an element, replacing what was there.
 *
 * @param {HTMLElement} canvas
 * @param {FlameNode} tree
 * @param {FlameContext} context
 * @param {object} settings
 * @param {number | undefined} settings.widthPx the canvas's where not given
 * @param {(element: Element, node: PlacedNode) => void} settings.onPoint
 * @param {() => void} settings.onLeave
 * @param {() => void} settings.onZoom
 * @returns {FlameChart}
 */
export function drawChart(canvas, tree, context, settings) {
  const { d3, flamegraph } = /** @type {any} */ (globalThis);
  const rowPx = matchMedia('(pointer: coarse)').matches ? TOUCH_ROW_PX : ROW_PX;
  let zoomedIndex = tree.index;
  /** @type {((node: FlameNode) => boolean) | null} */
  let isSearched = null;
  canvas.replaceChildren();
  canvas.style.minHeight = '';
  const chart = flamegraph.default();
  /** @type {Map<number, SVGGElement>} */
  const elements = new Map();

  function finish() {
    finishDrawing(canvas, { context, rowPx, widthPx: chart.width(), elements });
  }
  chart
    .inverted(true)
    .sort(false)
    .transitionDuration(0)
    .cellHeight(rowPx)
    .minFrameSize(NARROWEST_PX)
    .width((settings.widthPx ?? canvas.clientWidth) || DEFAULT_PX)
    .getName((/** @type {PlacedNode} */ node) => labelNode(node.data, context))
    .tooltip(makeTooltip(settings))
    .setSearchHandler(() => {})
    .setSearchMatch((/** @type {PlacedNode} */ node) => isSearched?.(node.data) ?? false)
    .onClick((/** @type {PlacedNode} */ node) => {
      zoomedIndex = node.data.index;
      finish();
      settings.onZoom();
    });
  const selection = d3.select(canvas).datum(tree).call(chart);
  finish();
  return {
    zoomTo: chart.zoomTo,
    resetZoom: chart.resetZoom,
    zoomedIndex: () => zoomedIndex,
    search(isMatch) {
      isSearched = isMatch;
      chart.search('');
      finish();
    },
    fit() {
      if (canvas.clientWidth === 0 || canvas.clientWidth === chart.width()) return;
      chart.width(canvas.clientWidth).update();
      finish();
    },
    elements,
    root: selection.datum(),
  };
}

/**
 * A tooltip as d3-flame-graph expects it: a function with two methods.
 * @type {(handlers: Parameters<typeof drawChart>[3]) => unknown}
 */
function makeTooltip({ onPoint, onLeave }) {
  return Object.assign(() => {}, {
    show: (/** @type {Event} */ event, /** @type {PlacedNode} */ node) =>
      onPoint(/** @type {Element} */ (event.currentTarget), node),
    hide: onLeave,
  });
}

/**
 * Moves every frame to where the timers of d3-flame-graph would move it later, and adds labels,
 * roles and classes.
 *
 * @param {HTMLElement} canvas
 * @param {{ context: FlameContext, rowPx: number, widthPx: number, elements: Map<number, SVGGElement> }} drawing
 */
function finishDrawing(canvas, { context, rowPx, widthPx, elements }) {
  const { d3 } = /** @type {any} */ (globalThis);
  elements.clear();
  let depth = 0;
  d3.select(canvas).selectAll('g.frame, g.frame *').interrupt();
  d3.select(canvas)
    .selectAll('g.frame')
    .each(
      /** @this {SVGGElement} @param {PlacedNode} node */ function finishFrame(node) {
        const element = this;
        element.setAttribute('transform', `translate(${node.x0 * widthPx},${node.depth * rowPx})`);
        depth = Math.max(depth, node.depth);
        elements.set(node.data.index, element);
        finishFrameElement(element, node, context, (node.x1 - node.x0) * widthPx);
      },
    );
  const svg = /** @type {SVGSVGElement} */ (canvas.querySelector('svg'));
  const heightPx = (depth + 1) * rowPx;
  svg.setAttribute('height', String(heightPx));
  // The page must not move under the pointer on zoom.
  canvas.style.minHeight = `${Math.max(heightPx, Number.parseFloat(canvas.style.minHeight) || 0)}px`;
  svg.setAttribute('viewBox', `0 0 ${widthPx} ${heightPx}`);
  svg.setAttribute('role', 'tree');
  svg.setAttribute(
    'aria-label',
    `Flamegraph of ${context.names.baseline} and ${context.names.candidate}`,
  );
  svg.querySelector('.title')?.remove();
  if (svg.querySelector('g[tabindex="0"]') === null) {
    elements.values().next().value?.setAttribute('tabindex', '0');
  }
}

/** @param {SVGGElement} element @param {PlacedNode} node @param {FlameContext} context @param {number} widthPx */
function finishFrameElement(element, node, context, widthPx) {
  const { data } = node;
  const label = labelNode(data, context);
  element.setAttribute('class', listClasses(node, context));
  element.setAttribute('role', 'treeitem');
  element.setAttribute('aria-level', String(node.depth + 1));
  element.setAttribute('aria-label', describeNode(data, context));
  element.removeAttribute('name');
  if (!element.hasAttribute('tabindex')) element.setAttribute('tabindex', '-1');
  element.querySelector('rect')?.setAttribute('width', String(widthPx));
  const text = element.querySelector('div');
  if (text !== null) text.textContent = label;
}

/** @type {(node: PlacedNode, context: FlameContext) => string} */
function listClasses(node, context) {
  const { data } = node;
  const classes = ['frame', `kind-${data.kind}`];
  if (context.view === 'difference' && data.kind !== 'root') {
    const step = stepOf(data, context);
    classes.push(step > 0 ? `more-${step}` : step < 0 ? `less-${-step}` : 'same');
    classes.push(`is-${presenceOf(data.total)}`);
  }
  if (node.highlight === true) classes.push('is-match');
  return classes.join(' ');
}

/**
 * Adds fills that work without colour, hatching for functions that are gone and dots for new ones, in
 * each colour, once for all flamegraphs of the page.
 */
export function addPatterns() {
  const patterns = COLOUR_STEPS.flatMap((step) => [
    `<pattern id="flame-gone-${step}" class="less-${step}" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="8" height="8"/><path d="M0 0V8" class="flame-ink" stroke-width="5"/></pattern>`,
    `<pattern id="flame-new-${step}" class="more-${step}" width="7" height="7" patternUnits="userSpaceOnUse"><rect width="7" height="7"/><circle cx="3.5" cy="3.5" r="1.3" class="flame-ink"/></pattern>`,
  ]);
  const template = document.createElement('template');
  template.innerHTML = `<svg class="flame-patterns" width="0" height="0" aria-hidden="true">${patterns.join('')}</svg>`;
  document.body.append(template.content);
}
