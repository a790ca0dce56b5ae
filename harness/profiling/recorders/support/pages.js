import { PROJECT } from '../../../lib/project.js';

const STYLESHEET = /<link href="([^"]+)" rel="stylesheet" \/>/g;
const SCRIPT = /<script src="([^"]+)" type="text\/javascript"><\/script>/g;

/**
 * Embeds the style sheets and scripts of a page.
 *
 * @param {string} html
 * @param {(name: string) => string} readText reads a file in the directory of the page
 * @returns {string}
 */
export function inlinePage(html, readText) {
  return html
    .replaceAll(STYLESHEET, (_, name) => `<style>${readText(name)}</style>`)
    .replaceAll(SCRIPT, (_, name) => `<script>${escapeScript(readText(name))}</script>`);
}

/**
 * @param {string} source
 * @returns {string} an equivalent program without text that ends the script element or hides its end
 */
function escapeScript(source) {
  return source.replaceAll(/<(?=!--|\/?script)/gi, '\\x3C');
}

/** A page may load nothing but what is embedded. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline' data:; " +
  'img-src data:; font-src data:';
const REMOTE_STYLES = /https?:\/\/[^\s"'`<>()]+\.css(?=["'`])/g;

/**
 * Makes the page of another tool safe to publish. Remote style sheets become empty, a content security
 * policy forbids all other requests, and paths become relative to this checkout.
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
