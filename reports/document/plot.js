/** Plots as SVG, drawn by Observable Plot in a separate document. */

import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { escapeHtml, Markup } from './markup.js';

/** @typedef {Plot.PlotOptions & { marks: Plot.Markish[] }} PlotDescription */

const { document } = parseHTML('<!doctype html><html><body></body></html>');

/**
 * Draws a plot. Colours are classes (`className` of a mark) that the page's style sheet knows, so
 * that a plot follows the theme; text in it must not come from outside.
 *
 * @param {string} label what a screen reader reads
 * @param {PlotDescription} description
 * @returns {Markup} an SVG element
 */
export function drawPlot(label, description) {
  const plot = Plot.plot({ ...description, document, className: 'plot' });
  const svg = plot.tagName.toLowerCase() === 'svg' ? plot : plot.querySelector('svg');
  if (svg === null) return new Markup('');
  // The page has one style sheet for all plots, and a screen reader one label for each.
  for (const style of svg.querySelectorAll('style')) style.remove();
  for (const part of svg.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label');
  svg.removeAttribute('aria-label');
  const text = shortenNumbers(svg.outerHTML);
  return new Markup(text.replace('<svg ', `<svg role="img" aria-label="${escapeHtml(label)}" `));
}

/**
 * Rounds coordinates to a hundredth of a pixel: digits are most of a plot's size. Texts keep theirs.
 * @type {(svg: string) => string}
 */
function shortenNumbers(svg) {
  return svg.replace(/<[^>]*>/g, (tag) =>
    tag.replace(/-?\d+\.\d{3,}/g, (digits) => String(Number(Number(digits).toFixed(2)))),
  );
}

/**
 * An axis with a label at every tick; by itself Plot leaves some labels of log axes out.
 * @type {(axis: typeof Plot.axisX, ticks: number[]) => Plot.Markish}
 */
export function labelLogTicks(axis, ticks) {
  return axis(ticks, { text: String, labelArrow: 'none' });
}
