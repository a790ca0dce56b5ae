/** The frame of a page: head, security policy, navigation. */

/** @import { Content } from './markup.js' */

// A digest reaches nothing outside, so the pure core may take the platform's.
// eslint-disable-next-line no-restricted-imports
import { createHash } from 'node:crypto';
import { joinBlocks, markup, Markup } from './markup.js';

/**
 * @typedef {object} PageParts
 * @property {string} title of the window
 * @property {string[]} styles texts of style sheets
 * @property {string[]} earlyScripts texts that run before anything is drawn
 * @property {string[]} scripts texts that run once everything is there
 * @property {Content} header
 * @property {{ id: string, title: Content }[]} places that the navigation leads to
 * @property {Content} main
 * @property {Content} footer
 */

/**
 * A page that stands alone: it asks for nothing, and nothing runs in it but these very scripts.
 * @type {(parts: PageParts) => string} ends with a line end
 */
export function writePage({ title, styles, earlyScripts, scripts, header, places, main, footer }) {
  const [first, last] = [earlyScripts.map(closeSafely), scripts.map(closeSafely)];
  const policy = securityPolicy([...first, ...last]);
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${joinBlocks(styles.map((text) => new Markup(`<style>${text}</style>`)))}
${joinBlocks(first.map(scriptElement))}
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header class="top">
${header}
${navigation(places)}
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

/** @type {(places: PageParts['places']) => Content} */
function navigation(places) {
  if (places.length === 0) return null;
  const links = places.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`);
  return markup`<nav aria-label="On this page"><ul>
${joinBlocks(links)}
</ul></nav>`;
}

/** @param {string} text */
function scriptElement(text) {
  return new Markup(`<script>${text}</script>`);
}

/**
 * A script that cannot close its own element: in strings and regular
 * expressions, where alone such text occurs, the escape means the same.
 * @type {(text: string) => string}
 */
function closeSafely(text) {
  return text.replace(/<(?=\/script|!--)/gi, '\\x3c');
}

/** @type {(scripts: string[]) => string} */
function securityPolicy(scripts) {
  return [
    "default-src 'none'",
    // d3-flame-graph adds its own style, which is harmless here.
    "style-src 'unsafe-inline'",
    `script-src ${listDigests(scripts)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** @type {(texts: string[]) => string} sources as a policy names them */
function listDigests(texts) {
  if (texts.length === 0) return "'none'";
  const digests = texts.map((text) => createHash('sha256').update(text).digest('base64'));
  return digests.map((digest) => `'sha256-${digest}'`).join(' ');
}
