const INSTALLED = '/node_modules/';
const SEGMENTS_OF_STRANGERS = 3;

/**
 * Names a source file the same on every machine and for every version of a package:
 * `experiments/js-bson/codec/write-text.js` of this project, `bson/lib/bson.mjs` of a package,
 * `…/work/other/index.js` of anything else. What is no path, such as `node:buffer`, stays.
 *
 * @param {string} urlOrPath as V8 names a script: URL, absolute path or ''
 * @param {string} projectPath absolute
 * @returns {string | null} null for what has no file
 */
export function shortenFile(urlOrPath, projectPath) {
  if (urlOrPath === '') return null;
  const path = urlOrPath.startsWith('file://') ? pathOfUrl(urlOrPath) : urlOrPath;
  if (!path.startsWith('/')) return path;
  const installed = path.lastIndexOf(INSTALLED);
  if (installed !== -1) return path.slice(installed + INSTALLED.length);
  const project = projectPath.endsWith('/') ? projectPath : `${projectPath}/`;
  if (path.startsWith(project)) return path.slice(project.length);
  return `…/${path.split('/').filter(Boolean).slice(-SEGMENTS_OF_STRANGERS).join('/')}`;
}

/** @param {string} url */
function pathOfUrl(url) {
  const path = url.slice('file://'.length).replace(/[?#].*$/s, '');
  try {
    return decodeURIComponent(path);
  } catch {
    // A stray percent sign: the name serves as it is.
    return path;
  }
}
