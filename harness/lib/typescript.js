const FILE = /Unknown file extension "\.[cm]?tsx?" for (\S+)/;
const SYNTAX = /ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX|ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING/;

/**
 * Explains why Node did not load a file in TypeScript.
 *
 * @param {string} text message of an error, or the last lines of a process
 * @returns {{ problem: string, remedy: string } | null} null if that was not the reason
 */
export function explainTypeScript(text) {
  const [, file] = FILE.exec(text) ?? [];
  if (file !== undefined) {
    return {
      problem: `'${file}' is TypeScript, which this Node does not run`,
      remedy:
        'build it first and name the JavaScript file, or run Assay with Node 22.18 or newer, which removes types',
    };
  }
  if (!SYNTAX.test(text)) return null;
  return {
    problem:
      'Node runs TypeScript only outside of node_modules, and only where removing the types is enough',
    remedy: 'build it first and name the JavaScript file',
  };
}
