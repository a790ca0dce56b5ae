/// <reference lib="dom" />
/** The flamegraphs of a page: switches, search, zoom, tooltip, printing. Runs in the browser. */

/** @import { FlameData } from '../support/flame-data.js' */
/** @import { FlameChart, PlacedNode } from './flame-chart.js' */
/** @import { FlameNode, FlameView } from './flame-tree.js' */
/** @import { FlameContext } from './flame-words.js' */

import { drawChart } from './flame-chart.js';
import { keepTabStop, obeyKey } from './flame-keys.js';
import { showTip } from './flame-tip.js';
import { buildFlameTree, matchesTerm, sumMatches } from './flame-tree.js';
import { describeMatches } from './flame-words.js';

/** How far outside the window a flamegraph is drawn already. */
const DRAW_AHEAD = '400px';

/**
 * What a section brings along as JSON.
 *
 * @typedef {object} FlamePayload
 * @property {string} title name of the root
 * @property {FlameContext['names']} names
 * @property {FlameData[]} views
 * @property {string[]} notes one a view
 */

/**
 * Brings every flamegraph of the document to life. Each is drawn when it comes near the window, so
 * that a page with many of them opens at once.
 */
export function startFlamegraphs() {
  drawPatterns();
  const sections = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.flame'));
  for (const section of sections) openFlamegraph(section);
}

/**
 * Hatching for what vanished, dots for what is new, over each colour: one set for the whole page.
 */
function drawPatterns() {
  const template = document.createElement('template');
  const patterns = [0, 1, 2, 3, 4].flatMap((step) => [
    `<pattern id="flame-gone-${step}" class="less-${step}" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="8" height="8"/><path d="M0 0V8" class="flame-ink" stroke-width="5"/></pattern>`,
    `<pattern id="flame-new-${step}" class="more-${step}" width="7" height="7" patternUnits="userSpaceOnUse"><rect width="7" height="7"/><circle cx="3.5" cy="3.5" r="1.3" class="flame-ink"/></pattern>`,
  ]);
  template.innerHTML = `<svg class="flame-patterns" width="0" height="0" aria-hidden="true">${patterns.join('')}</svg>`;
  document.body.append(template.content);
}

/** @param {HTMLElement} section */
function openFlamegraph(section) {
  const payload = /** @type {FlamePayload} */ (
    JSON.parse(section.querySelector('.flame-data')?.textContent ?? '')
  );
  const canvas = find(section, '.flame-canvas');
  const tip = find(section, '.flame-tip');
  const form = /** @type {HTMLFormElement} */ (find(section, '.flame-controls'));
  form.hidden = false;
  /** @type {{ chart: FlameChart, tree: FlameNode, context: FlameContext } | null} */
  let drawing = null;

  /** @param {FlameView} view */
  function draw(view) {
    const zoomedIndex = drawing?.chart.zoomedIndex() ?? -1;
    const data = /** @type {FlameData} */ (payload.views[Number(readChoice(form, 'source') ?? 0)]);
    const tree = buildFlameTree(data, view, payload.title);
    const measure = readChoice(form, 'measure') === 'total' ? 'total' : 'self';
    const context = { view, measure, unit: data.unit, whole: tree.total, names: payload.names };
    const chart = drawChart(canvas, tree, /** @type {FlameContext} */ (context), {
      onPoint: (element, node) => showTip(tip, element, node.data, context),
      onLeave: hideTip,
      onZoom: showZoom,
    });
    drawing = { chart, tree, context: /** @type {FlameContext} */ (context) };
    section.dataset['view'] = view;
    find(section, '.flame-note').textContent = payload.notes[payload.views.indexOf(data)] ?? '';
    const zoomed = findNode(chart.root, zoomedIndex);
    if (zoomed !== null && zoomed !== chart.root) chart.zoomTo(zoomed);
    showZoom();
    search();
  }

  function redraw() {
    hideTip();
    draw(/** @type {FlameView} */ (readChoice(form, 'view') ?? 'difference'));
  }

  function hideTip() {
    tip.hidden = true;
  }

  function showZoom() {
    const isZoomed = drawing !== null && drawing.chart.zoomedIndex() !== drawing.tree.index;
    /** @type {HTMLButtonElement} */ (find(form, '.flame-reset')).disabled = !isZoomed;
  }

  function search() {
    if (drawing === null) return;
    const term = /** @type {HTMLInputElement} */ (find(form, '[name=term]')).value.trim();
    const output = find(form, 'output');
    /** @param {FlameNode} node */
    const isMatch = (node) => matchesTerm(node, term);
    const isEmpty = term === '';
    output.textContent = isEmpty ? '' : describeMatches(sumMatches(drawing.tree, isMatch), drawing.context);
    drawing.chart.search(isEmpty ? null : isMatch);
  }

  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('change', (event) => {
    if (/** @type {HTMLInputElement} */ (event.target).type === 'radio') redraw();
  });
  find(form, '[name=term]').addEventListener('input', search);
  find(form, '.flame-reset').addEventListener('click', () => drawing?.chart.resetZoom());
  listenToFocus(canvas, () => drawing, tip, hideTip);
  drawWhenNear(canvas, redraw, () => drawing?.chart.fit());
  drawForPrint(canvas, () => draw('difference'), () => drawing?.chart.resetZoom(), redraw);
}

/**
 * @param {HTMLElement} canvas
 * @param {() => { chart: FlameChart, context: FlameContext } | null} getDrawing
 * @param {HTMLElement} tip
 * @param {() => void} hideTip
 */
function listenToFocus(canvas, getDrawing, tip, hideTip) {
  canvas.addEventListener('focusin', ({ target }) => {
    const drawing = getDrawing();
    const node = readPlacedNode(target);
    if (drawing === null || node === null) return;
    keepTabStop(drawing.chart, /** @type {Element} */ (target));
    showTip(tip, /** @type {Element} */ (target), node.data, drawing.context);
  });
  canvas.addEventListener('focusout', hideTip);
  canvas.addEventListener('keydown', (event) => {
    const drawing = getDrawing();
    const node = readPlacedNode(event.target);
    if (drawing === null || node === null) return;
    if (event.key === 'Escape') hideTip();
    obeyKey(event, drawing.chart, node);
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (!canvas.contains(/** @type {Node} */ (target))) hideTip();
  });
}

/**
 * @param {EventTarget | null} element
 * @returns {PlacedNode | null} what d3 bound to a frame
 */
function readPlacedNode(element) {
  return /** @type {{ __data__?: PlacedNode }} */ (element)?.__data__ ?? null;
}

/**
 * @param {HTMLElement} canvas
 * @param {() => void} draw
 * @param {() => void} fit
 */
function drawWhenNear(canvas, draw, fit) {
  let drawnWidth = 0;
  const near = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      near.disconnect();
      drawnWidth = canvas.clientWidth;
      draw();
    },
    { rootMargin: DRAW_AHEAD },
  );
  near.observe(canvas);
  new ResizeObserver(() => {
    if (drawnWidth === 0 || canvas.clientWidth === 0 || canvas.clientWidth === drawnWidth) return;
    drawnWidth = canvas.clientWidth;
    fit();
  }).observe(canvas);
}

/**
 * Paper has the whole of the difference, whatever the screen shows.
 *
 * @param {HTMLElement} canvas
 * @param {() => void} drawDifference
 * @param {() => void} resetZoom
 * @param {() => void} redraw
 */
function drawForPrint(canvas, drawDifference, resetZoom, redraw) {
  window.addEventListener('beforeprint', () => {
    if (canvas.clientWidth === 0) return;
    drawDifference();
    resetZoom();
  });
  window.addEventListener('afterprint', () => {
    if (canvas.clientWidth > 0) redraw();
  });
}

/**
 * @param {PlacedNode} node
 * @param {number} index
 * @returns {PlacedNode | null}
 */
function findNode(node, index) {
  const waiting = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.data.index === index) return next;
    waiting.push(...(next.children ?? []));
  }
  return null;
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {string | null} value of the radio button that is chosen
 */
function readChoice(form, name) {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : null;
}

/**
 * @param {HTMLElement} parent
 * @param {string} selector of what every section has
 * @returns {HTMLElement}
 */
function find(parent, selector) {
  return /** @type {HTMLElement} */ (parent.querySelector(selector));
}
