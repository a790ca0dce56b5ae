/** The frame of a page: head, security policy, navigation. */

/** @import { Content } from './markup.js' */

// A digest reaches nothing outside, so the pure core may take the platform's.
// eslint-disable-next-line no-restricted-imports
import { createHash } from 'node:crypto';
import { joinBlocks, markup, Markup } from './markup.js';

/** A text that the page embeds, or the path of a file beside it, which pages of a site share. @typedef {string | { href: string }} Source */

/**
 * @typedef {object} PageSources
 * @property {Source[]} styles style sheets
 * @property {Source[]} earlyScripts run before anything is drawn
 * @property {Source[]} scripts run once everything is there
 */

/**
 * @typedef {PageSources & PageFrame} PageParts
 *
 * @typedef {object} PageFrame
 * @property {string} title of the window
 * @property {Content} header
 * @property {{ name: string, links: { href: string, title: Content, isHere?: boolean }[] }} navigation `name`: what a screen reader calls it
 * @property {Content} main
 * @property {Content} footer
 */

/**
 * A page that asks for nothing but the files it names, and nothing runs in it but these very scripts.
 * @type {(parts: PageParts) => string} ends with a line end
 */
export function writePage({ title, header, navigation, main, footer, ...sources }) {
  const { styles } = sources;
  const [first, last] = [sources.earlyScripts.map(closeSafely), sources.scripts.map(closeSafely)];
  const policy = securityPolicy(styles, [...first, ...last]);
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${joinBlocks(styles.map(styleElement))}
${joinBlocks(first.map(scriptElement))}
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header class="top">
${header}
${writeNavigation(navigation)}
</header>
<main id="main" tabindex="-1">
${main}
</main>
<footer>
${footer}
</footer>
${joinBlocks(last.map(scriptElement))}
</body>
</html>
`;
  return page.text;
}

/** @type {(navigation: PageParts['navigation']) => Content} */
function writeNavigation({ name, links }) {
  if (links.length === 0) return null;
  const items = links.map(({ href, title, isHere = false }) => {
    const here = isHere ? markup` aria-current="page"` : null;
    return markup`<li><a href="${href}"${here}>${title}</a></li>`;
  });
  return markup`<nav aria-label="${name}"><ul>
${joinBlocks(items)}
</ul></nav>`;
}

/** @param {Source} style */
function styleElement(style) {
  return typeof style === 'string'
    ? new Markup(`<style>${style}</style>`)
    : markup`<link rel="stylesheet" href="${style.href}">`;
}

/** @param {Source} script */
function scriptElement(script) {
  return typeof script === 'string'
    ? new Markup(`<script>${script}</script>`)
    : markup`<script src="${script.href}"></script>`;
}

/**
 * A script that cannot close its own element: in strings and regular
 * expressions, where alone such text occurs, the escape means the same.
 * @type {(script: Source) => Source}
 */
function closeSafely(script) {
  if (typeof script !== 'string') return script;
  return script.replace(/<(?=\/script|!--)/gi, '\\x3c');
}

/** Where files beside the page are: of the same host, or opened from a disk. */
const BESIDE = "'self' file:";

/** @type {(styles: Source[], scripts: Source[]) => string} */
function securityPolicy(styles, scripts) {
  return [
    "default-src 'none'",
    // d3-flame-graph adds its own style, which is harmless here.
    `style-src ${styles.some(isFile) ? BESIDE : "'unsafe-inline'"}`,
    `script-src ${listScriptSources(scripts)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** @type {(source: Source) => boolean} */
function isFile(source) {
  return typeof source !== 'string';
}

/** @type {(scripts: Source[]) => string} sources as a policy names them */
function listScriptSources(scripts) {
  if (scripts.length === 0) return "'none'";
  if (scripts.some(isFile)) return BESIDE;
  const digests = scripts.map((text) => createHash('sha256').update(String(text)).digest('base64'));
  return digests.map((digest) => `'sha256-${digest}'`).join(' ');
}
