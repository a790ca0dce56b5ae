import { PROJECT } from '../../../lib/project.js';

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
