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
