/// <reference lib="dom" />
/** Keyboard control of a flamegraph. */

/** @import { FlameChart, PlacedNode } from './flame-chart.js' */

/**
 * Where a key leads from a frame.
 *
 * @param {string} key
 * @param {PlacedNode} node
 * @param {FlameChart} chart
 * @returns {PlacedNode | null} null for other keys and at the edges
 */
function findNeighbour(key, node, chart) {
  if (key === 'ArrowUp') return node.parent;
  if (key === 'ArrowDown') return node.children?.find((child) => isDrawn(child, chart)) ?? null;
  if (key === 'Home') return chart.root;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  const row = listRow(chart.root, node.depth).filter((other) => isDrawn(other, chart));
  return row[row.indexOf(node) + (key === 'ArrowRight' ? 1 : -1)] ?? null;
}

/** @type {(node: PlacedNode, chart: FlameChart) => boolean} */
function isDrawn(node, chart) {
  return chart.elements.has(node.data.index);
}

/** @type {(root: PlacedNode, depth: number) => PlacedNode[]} from left to right */
function listRow(root, depth) {
  let row = [root];
  for (let level = 0; level < depth; level++) row = row.flatMap((node) => node.children ?? []);
  return row;
}

/**
 * Arrows move the focus, Home moves it to the root, Enter and Space zoom in, Escape zooms out.
 *
 * @param {KeyboardEvent} event from within the drawing
 * @param {FlameChart} chart
 * @param {PlacedNode} node that has the focus
 */
export function handleKey(event, chart, node) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    chart.zoomTo(node);
  } else if (event.key === 'Escape') {
    event.preventDefault();
    chart.resetZoom();
  } else {
    const neighbour = findNeighbour(event.key, node, chart);
    if (neighbour === null) return;
    event.preventDefault();
    chart.elements.get(neighbour.data.index)?.focus();
  }
}

/**
 * Makes this frame the only one of the drawing that the Tab key reaches.
 *
 * @param {FlameChart} chart
 * @param {Element} element the frame with the focus
 */
export function keepTabStop(chart, element) {
  for (const other of chart.elements.values()) {
    other.setAttribute('tabindex', other === element ? '0' : '-1');
  }
}
