/** What a page with flamegraphs embeds: libraries with their licences, the script, the style. */

import { linkScripts } from './link-scripts.js';

const PACKAGES = './../node_modules/';

/** Each extends the one global `d3` and needs those before it. */
const LIBRARIES = [
  'd3-selection/dist/d3-selection.min.js',
  'd3-color/dist/d3-color.min.js',
  'd3-dispatch/dist/d3-dispatch.min.js',
  'd3-timer/dist/d3-timer.min.js',
  'd3-ease/dist/d3-ease.min.js',
  'd3-interpolate/dist/d3-interpolate.min.js',
  'd3-transition/dist/d3-transition.min.js',
  'd3-format/dist/d3-format.min.js',
  'd3-array/dist/d3-array.min.js',
  'd3-time/dist/d3-time.min.js',
  'd3-time-format/dist/d3-time-format.min.js',
  'd3-scale/dist/d3-scale.min.js',
  'd3-hierarchy/dist/d3-hierarchy.min.js',
  'd3-flame-graph/dist/d3-flamegraph.umd.min.js',
].map((path) => PACKAGES + path);

/** ISC for all of d3 but d3-ease, which is under BSD-3-Clause; Apache-2.0 for d3-flame-graph. Each
 * allows copies that carry its text. */
const LICENCES = ['d3-selection/LICENSE', 'd3-ease/LICENSE', 'd3-flame-graph/LICENSE'].map(
  (path) => PACKAGES + path,
);

const SCRIPTS = [
  './../harness/lib/numbers.js',
  './page/flame-tree.js',
  './page/flame-words.js',
  './page/flame-chart.js',
  './page/flame-tip.js',
  './page/flame-keys.js',
  './page/flame-patterns.js',
  './page/flamegraph.js',
];

const STYLE = './page/flamegraph.css';

/** For `assets` of the renderer that has flamegraphs. */
export const FLAMEGRAPH_ASSETS = [...LICENCES, ...LIBRARIES, ...SCRIPTS, STYLE];

/**
 * @param {Record<string, string>} assets
 * @returns {string} JavaScript for one script element at the end of the body
 */
export function flamegraphScript(assets) {
  const licences = LICENCES.map((path) => {
    const name = path.slice(PACKAGES.length, path.lastIndexOf('/'));
    return `${name}:\n\n${readAsset(assets, path).trim()}`;
  });
  const comment = `/*\n${licences.join('\n\n').replaceAll('*/', '* /')}\n*/`;
  const libraries = LIBRARIES.map((path) => readAsset(assets, path));
  const modules = SCRIPTS.map((path) => ({ path, text: readAsset(assets, path) }));
  const script = [comment, ...libraries, linkScripts(modules, 'startFlamegraphs();')].join('\n');
  return script.replace(/<(?=\/script|!--)/gi, '\\x3c');
}

/**
 * @param {Record<string, string>} assets
 * @returns {string} CSS for a style element
 */
export function flamegraphStyle(assets) {
  return readAsset(assets, STYLE);
}

/**
 * @param {Record<string, string>} assets
 * @param {string} name
 * @returns {string}
 * @throws {Error} where the renderer was not given what it asked for
 */
function readAsset(assets, name) {
  const text = assets[name];
  if (text === undefined) throw new Error(`the asset ${name} was not given to the renderer`);
  return text;
}
