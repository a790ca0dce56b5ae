/// <reference lib="dom" />
/** The flamegraphs of a page: controls, search, zoom, tooltip, printing. Runs in the browser. */

/** @import { FlameData } from '../figures/flame-data.js' */
/** @import { FlameChart, PlacedNode } from './flame-chart.js' */
/** @import { FlameNode, FlameView } from './flame-tree.js' */
/** @import { FlameContext } from './flame-words.js' */

import { addPatterns, drawChart } from './flame-chart.js';
import { keepTabStop, handleKey } from './flame-keys.js';
import { showTip } from './flame-tip.js';
import { buildFlameTree, matchesTerm, sumMatches } from './flame-tree.js';
import { describeMatches } from './flame-words.js';

/** Flamegraphs this far outside the window are drawn in advance. */
const DRAW_AHEAD = '400px';
/** About the width of a sheet of paper, so that labels keep their size in print. */
const PAPER_PX = 720;

/**
 * The JSON embedded in a section.
 *
 * @typedef {object} FlamePayload
 * @property {string} title name of the root
 * @property {FlameContext['names']} names
 * @property {FlameData[]} views
 * @property {string[]} notes one per view
 */

/**
 * @typedef {object} FlameSection
 * @property {HTMLElement} root
 * @property {FlamePayload} payload
 * @property {HTMLElement} canvas
 * @property {HTMLElement} tip
 * @property {HTMLFormElement} form
 * @property {FlameDrawing | null} drawing null before it is drawn
 */

/** @typedef {{ chart: FlameChart, tree: FlameNode, context: FlameContext }} FlameDrawing */

/**
 * Starts every flamegraph of the document. Each is drawn when it is scrolled near the window, so that
 * a page with many of them opens fast.
 */
export function startFlamegraphs() {
  addPatterns();
  const roots = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.flame'));
  for (const root of roots) {
    const section = findSection(root);
    section.form.hidden = false;
    listenToForm(section);
    listenToCanvas(section);
    listenToPrint(section);
    drawWhenNear(section);
  }
}

/** @type {(root: HTMLElement) => FlameSection} */
function findSection(root) {
  return {
    root,
    payload: JSON.parse(findPart(root, '.flame-data').textContent ?? ''),
    canvas: findPart(root, '.flame-canvas'),
    tip: findPart(root, '.flame-tip'),
    form: /** @type {HTMLFormElement} */ (findPart(root, '.flame-controls')),
    drawing: null,
  };
}

/**
 * Draws the chosen view; a zoom is kept where the new view has the function too.
 *
 * @param {FlameSection} section
 * @param {FlameView} [view] instead of the chosen one
 * @param {number} [widthPx] instead of the canvas's
 */
function draw(section, view = chosenView(section), widthPx) {
  const { payload, form, tip } = section;
  const source = Number(readChoice(form, 'source') ?? 0);
  const data = /** @type {FlameData} */ (payload.views[source]);
  const tree = buildFlameTree(data, view, payload.title);
  /** @type {FlameContext} */
  const context = {
    view,
    measure: readChoice(form, 'measure') === 'total' ? 'total' : 'self',
    unit: data.unit,
    whole: tree.total,
    names: payload.names,
  };
  const zoomedIndex = section.drawing?.chart.zoomedIndex();
  hideTip(section);
  const chart = drawChart(section.canvas, tree, context, {
    widthPx,
    onPoint: (element, node) => showTip(tip, element, node.data, context),
    onLeave: () => hideTip(section),
    onZoom: () => showZoom(section),
  });
  section.drawing = { chart, tree, context };
  section.root.dataset['view'] = view;
  findPart(section.root, '.flame-note').textContent = payload.notes[source] ?? '';
  const zoomed = findNode(chart.root, zoomedIndex);
  if (zoomed !== null && zoomed !== chart.root) chart.zoomTo(zoomed);
  else showZoom(section);
  if (readTerm(form) !== '') search(section);
}

/** @param {FlameSection} section */
function search({ drawing, form, tip }) {
  if (drawing === null) return;
  tip.hidden = true;
  const { chart, tree, context } = drawing;
  const term = readTerm(form);
  /** @param {FlameNode} node */
  const isMatch = (node) => matchesTerm(node, term);
  const found = term === '' ? '' : describeMatches(sumMatches(tree, isMatch), context);
  findPart(form, 'output').textContent = found;
  chart.search(term === '' ? null : isMatch);
}

/**
 * Enables the reset button, and shows the tooltip of the focused frame again: a zoom hides it, and
 * on touch screens nothing else would show it.
 * @param {FlameSection} section
 */
function showZoom({ drawing, form, canvas, tip }) {
  if (drawing === null) return;
  const isZoomed = drawing.chart.zoomedIndex() !== drawing.tree.index;
  /** @type {HTMLButtonElement} */ (findPart(form, '.flame-reset')).disabled = !isZoomed;
  const focused = document.activeElement;
  const node = canvas.contains(focused) ? readPlacedNode(focused) : null;
  if (focused !== null && node !== null) showTip(tip, focused, node.data, drawing.context);
}

/** @param {FlameSection} section */
function hideTip({ tip }) {
  tip.hidden = true;
}

/** @param {FlameSection} section */
function listenToForm(section) {
  const { form } = section;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('change', ({ target }) => {
    if (/** @type {HTMLInputElement} */ (target).type === 'radio') draw(section);
  });
  findPart(form, '[name=term]').addEventListener('input', () => search(section));
  findPart(form, '.flame-reset').addEventListener('click', () => {
    section.drawing?.chart.resetZoom();
  });
}

/** @param {FlameSection} section */
function listenToCanvas(section) {
  const { canvas, tip } = section;
  canvas.addEventListener('focusin', ({ target }) => {
    const node = readPlacedNode(target);
    if (section.drawing === null || node === null) return;
    const frame = /** @type {Element} */ (target);
    keepTabStop(section.drawing.chart, frame);
    showTip(tip, frame, node.data, section.drawing.context);
  });
  canvas.addEventListener('focusout', () => hideTip(section));
  canvas.addEventListener('keydown', (event) => {
    const node = readPlacedNode(event.target);
    if (section.drawing === null || node === null) return;
    handleKey(event, section.drawing.chart, node);
    if (event.key === 'Escape') hideTip(section);
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (!canvas.contains(/** @type {Node} */ (target))) hideTip(section);
  });
}

/** Prints the whole difference, whatever the screen shows. @param {FlameSection} section */
function listenToPrint(section) {
  let zoomedIndex = -1;
  window.addEventListener('beforeprint', () => {
    zoomedIndex = section.drawing?.chart.zoomedIndex() ?? -1;
    draw(section, 'difference', PAPER_PX);
    section.drawing?.chart.resetZoom();
  });
  window.addEventListener('afterprint', () => {
    draw(section);
    const chart = section.drawing?.chart;
    const zoomed = chart === undefined ? null : findNode(chart.root, zoomedIndex);
    if (zoomed !== null) chart?.zoomTo(zoomed);
  });
}

/** @param {FlameSection} section */
function drawWhenNear(section) {
  const near = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      near.disconnect();
      draw(section);
    },
    { rootMargin: DRAW_AHEAD },
  );
  near.observe(section.canvas);
  new ResizeObserver(() => section.drawing?.chart.fit()).observe(section.canvas);
}

/** @type {(element: EventTarget | null) => PlacedNode | null} the node that d3 bound to a frame */
function readPlacedNode(element) {
  return /** @type {{ __data__?: PlacedNode }} */ (element).__data__ ?? null;
}

/** @type {(root: PlacedNode, index: number | undefined) => PlacedNode | null} */
function findNode(root, index) {
  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.data.index === index) return next;
    waiting.push(...(next.children ?? []));
  }
  return null;
}

/** @type {(section: FlameSection) => FlameView} */
function chosenView({ form }) {
  return /** @type {FlameView} */ (readChoice(form, 'view') ?? 'difference');
}

/** @type {(form: HTMLFormElement, name: string) => string | null} value of the radio button that is chosen */
function readChoice(form, name) {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : null;
}

/** @type {(form: HTMLFormElement) => string} search term; empty for none */
function readTerm(form) {
  return /** @type {HTMLInputElement} */ (findPart(form, '[name=term]')).value.trim();
}

/**
 * @param {HTMLElement} parent
 * @param {string} selector of an element that every section has
 * @returns {HTMLElement}
 */
function findPart(parent, selector) {
  return /** @type {HTMLElement} */ (parent.querySelector(selector));
}
