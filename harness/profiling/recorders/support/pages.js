import { PROJECT } from '../../../lib/project.js';

const STYLESHEET = /<link href="([^"]+)" rel="stylesheet" \/>/g;
const SCRIPT = /<script src="([^"]+)" type="text\/javascript"><\/script>/g;

/**
 * Makes one file of a page and of the style sheets and scripts that lie beside it.
 *
 * @param {string} html
 * @param {(name: string) => string} readText of a file beside the page
 * @returns {string}
 */
export function inlinePage(html, readText) {
  return html
    .replaceAll(STYLESHEET, (_, name) => `<style>${readText(name)}</style>`)
    .replaceAll(SCRIPT, (_, name) => `<script>${escapeScript(readText(name))}</script>`);
}

/**
 * @param {string} source
 * @returns {string} the same program, in which no text or pattern ends the element around it, or
 *   makes the browser overlook its end
 */
function escapeScript(source) {
  return source.replaceAll(/<(?=!--|\/?script)/gi, '\\x3C');
}

/** What a page may load: what it carries itself, and nothing else. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline' data:; " +
  'img-src data:; font-src data:';
const REMOTE_STYLES = /https?:\/\/[^\s"'`<>()]+\.css(?=["'`])/g;

/**
 * Makes a page of somebody else's tool one that can be handed on. It asks the network for nothing:
 * style sheets from elsewhere become empty ones, and a content security policy forbids the rest. Its
 * files are named from the top of this checkout.
 *
 * @param {string} html
 * @returns {string}
 */
export function sealPage(html) {
  const policy = `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  return html
    .replace(/<head>/i, policy)
    .replaceAll(REMOTE_STYLES, 'data:text/css,')
    .replaceAll(`file://${PROJECT.projectPath}/`, '')
    .replaceAll(`${PROJECT.projectPath}/`, '');
}
