/** What a page embeds: style sheets, scripts, and for flamegraphs the libraries with their licences. */

/** @import { PageSources } from './page.js' */

const STYLE = './page/report.css';
const THEME = './page/theme.js';
const SCRIPTS = [THEME, './page/controls.js'];
const START =
  'startThemeSwitch(); startSorting(); startScrollStops(); startLinkDetails(); startPrintDetails(); startCopyButtons();';

/** Where the packages are: in this directory or in one above, as npm decides. */
const PACKAGES = 'node_modules/';

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

const FLAMEGRAPH_SCRIPTS = [
  './../harness/lib/numbers.js',
  './page/flame-tree.js',
  './page/flame-words.js',
  './page/flame-chart.js',
  './page/flame-tip.js',
  './page/flame-keys.js',
  './page/flamegraph.js',
];
const FLAMEGRAPH_STYLE = './page/flamegraph.css';

const SITE_STYLE = './page/site.css';
const SITE_SCRIPTS = [...SCRIPTS, './page/course.js'];

/** Names of the texts that `linkSite` takes. */
export const SITE_ASSETS = [STYLE, SITE_STYLE, ...SITE_SCRIPTS];

/** Names of the texts that `linkAssets` takes: files of packages, and paths relative to `reports/`. */
export const PAGE_ASSETS = [
  STYLE,
  ...SCRIPTS,
  ...LICENCES,
  ...LIBRARIES,
  ...FLAMEGRAPH_SCRIPTS,
  FLAMEGRAPH_STYLE,
];

/**
 * @param {Record<string, string> | undefined} assets texts by name
 * @param {boolean} hasFlamegraphs a page without them does not embed their libraries
 * @returns {PageSources} all empty without assets
 * @throws {Error} where one of `PAGE_ASSETS` is missing
 */
export function linkAssets(assets, hasFlamegraphs) {
  if (assets === undefined) return { styles: [], earlyScripts: [], scripts: [] };
  const modulesOf = (/** @type {string[]} */ paths) =>
    paths.map((path) => ({ path, text: readAsset(assets, path) }));
  return {
    styles: [STYLE, ...(hasFlamegraphs ? [FLAMEGRAPH_STYLE] : [])].map((path) =>
      readAsset(assets, path),
    ),
    // The theme is set before anything is drawn, so that a dark page does not flash.
    earlyScripts: [linkScripts(modulesOf([THEME]), 'applyTheme();')],
    scripts: [
      linkScripts(modulesOf(SCRIPTS), START),
      ...(hasFlamegraphs
        ? [
            [
              licenceComment(assets),
              ...LIBRARIES.map((path) => readAsset(assets, path)),
              linkScripts(modulesOf(FLAMEGRAPH_SCRIPTS), 'startFlamegraphs();'),
            ].join('\n'),
          ]
        : []),
    ],
  };
}

/**
 * What the pages of a site share: files, and how a page refers to them.
 *
 * @param {Record<string, string>} assets texts of `SITE_ASSETS`, by name
 * @returns {{ files: Record<string, string>, sourcesFor: (path: string) => PageSources }} texts by path, from the root
 *   of the site; `path`: of a page of the root or of a folder in it
 * @throws {Error} where one of the assets is missing
 */
export function linkSite(assets) {
  const modulesOf = (/** @type {string[]} */ paths) =>
    paths.map((path) => ({ path, text: readAsset(assets, path) }));
  return {
    files: {
      'assets/site.css': [STYLE, SITE_STYLE].map((path) => readAsset(assets, path)).join('\n'),
      'assets/theme.js': linkScripts(modulesOf([THEME]), 'applyTheme();'),
      'assets/site.js': linkScripts(modulesOf(SITE_SCRIPTS), `${START} startCourses();`),
    },
    sourcesFor(path) {
      const folder = `${path.includes('/') ? '..' : '.'}/assets`;
      return {
        styles: [{ href: `${folder}/site.css` }],
        earlyScripts: [{ href: `${folder}/theme.js` }],
        scripts: [{ href: `${folder}/site.js` }],
      };
    },
  };
}

/** @param {Record<string, string>} assets */
function licenceComment(assets) {
  const licences = LICENCES.map((path) => {
    const name = path.slice(PACKAGES.length, path.lastIndexOf('/'));
    return `${name}:\n\n${readAsset(assets, path).trim()}`;
  });
  return `/*\n${licences.join('\n\n').replaceAll('*/', '* /')}\n*/`;
}

/** @type {(assets: Record<string, string>, name: string) => string} */
function readAsset(assets, name) {
  const text = assets[name];
  if (text === undefined) throw new Error(`the asset ${name} was not given to the renderer`);
  return text;
}

/** Named imports, none of them renamed. */
const IMPORT = /^import \{[\w\s,]*\} from '([^']+)';\n/gm;
const RENAMED = /^import \{[^}]*\bas\b[^}]*\}/m;
const DECLARATION = /^(?:export )?(?:async )?(?:function|const|let|class) (\w+)/gm;

/**
 * Puts modules one after the other into one function scope. They may only use named imports from
 * each other, without renaming, and named exports of declarations.
 *
 * @param {{ path: string, text: string }[]} modules each after those that it imports
 * @param {string} start statement to run at the end
 * @returns {string}
 * @throws {Error} where two modules declare the same name, or one is missing or of another form
 */
export function linkScripts(modules, start) {
  const names = new Map();
  const linked = new Set();
  const texts = modules.map(({ path, text }) => {
    for (const [, specifier = ''] of text.matchAll(IMPORT)) {
      if (linked.has(baseName(specifier))) continue;
      throw new Error(`${path} imports ${specifier}, which is not among the scripts before it`);
    }
    for (const [, name = ''] of text.matchAll(DECLARATION)) {
      if (names.has(name)) throw new Error(`${path} declares ${name}, as ${names.get(name)} does`);
      names.set(name, path);
    }
    linked.add(baseName(path));
    return stripModule(path, text);
  });
  return `(() => {\n'use strict';\n${texts.join('\n')}\n${start}\n})();\n`;
}

/** @type {(path: string, text: string) => string} */
function stripModule(path, text) {
  const stripped = text
    .replace(IMPORT, '')
    .replace(/^export (?=async |function |const |class )/gm, '');
  if (RENAMED.test(text) || /^(?:import|export)\b/m.test(stripped)) {
    throw new Error(`${path} has an import or export of a form that cannot be linked`);
  }
  return stripped;
}

/** @type {(path: string) => string} */
function baseName(path) {
  return path.slice(path.lastIndexOf('/') + 1);
}
