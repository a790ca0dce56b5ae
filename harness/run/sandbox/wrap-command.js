import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @import { Sandbox } from '../../formats/types.ts' */

/** Builds the sandbox where only unshare is there; run by the shell. */
const ENTER_PATH = fileURLToPath(new URL('enter-namespaces.sh', import.meta.url));

/**
 * @typedef {object} SandboxPaths absolute paths of files and directories that are there
 * @property {string[]} readable seen by the command although they lie in what the sandbox hides
 * @property {string[]} writable
 */

/**
 * The command line that runs a command in a sandbox: the file system read-only but for the writable
 * paths, empty directories in place of the hidden ones, no network, no other processes, and the end
 * with the harness.
 *
 * @param {string[]} words the command: an executable and its arguments
 * @param {SandboxPaths} paths
 * @param {Sandbox} sandbox
 * @returns {[executable: string, ...args: string[]]}
 */
export function wrapCommand(words, { readable, writable }, sandbox) {
  const shown = keepHidden(readable, sandbox);
  return sandbox.kind === 'bwrap'
    ? wrapWithBubblewrap(words, shown, writable, sandbox)
    : wrapWithUnshare(words, shown, writable, sandbox);
}

/**
 * Of the paths that a command must see, those that would be hidden. What is as wide as a hidden
 * directory stays hidden: a stray `package.json` at home must not open all of it.
 *
 * @param {string[]} readable
 * @param {Sandbox} sandbox
 * @returns {string[]} each once, outer ones first
 */
function keepHidden(readable, { hiddenPaths }) {
  const shown = readable.filter(
    (path) =>
      hiddenPaths.some((hidden) => isInside(path, hidden)) &&
      !hiddenPaths.some((hidden) => hidden === path || isInside(hidden, path)),
  );
  return [...new Set(shown)].sort((a, b) => a.length - b.length);
}

/**
 * @param {string} path
 * @param {string} directory
 * @returns {boolean} whether the path lies somewhere below the directory; both are absolute
 */
export function isInside(path, directory) {
  const way = relative(directory, path);
  return way !== '' && !/^\.\.(?:\/|$)/.test(way) && !isAbsolute(way);
}

/**
 * @param {string[]} words
 * @param {string[]} shown
 * @param {string[]} writable
 * @param {Sandbox} sandbox
 * @returns {[string, ...string[]]}
 */
function wrapWithBubblewrap(words, shown, writable, { executable, hiddenPaths }) {
  return [
    executable,
    '--unshare-all',
    '--die-with-parent',
    // Root would keep its capabilities, and with them it could mount the file system anew.
    ...['--cap-drop', 'ALL'],
    ...['--ro-bind', '/', '/'],
    ...['--dev', '/dev'],
    ...['--proc', '/proc'],
    ...hiddenPaths.flatMap((path) => ['--tmpfs', path]),
    ...shown.flatMap((path) => ['--ro-bind', path, path]),
    ...writable.flatMap((path) => ['--bind', path, path]),
    ...['--chdir', '/'],
    '--',
    ...words,
  ];
}

/**
 * @param {string[]} words
 * @param {string[]} shown
 * @param {string[]} writable
 * @param {Sandbox} sandbox
 * @returns {[string, ...string[]]}
 */
function wrapWithUnshare(words, shown, writable, { executable, hiddenPaths }) {
  const namespaces = ['--map-root-user', '--mount', '--net', '--pid', '--ipc', '--uts'];
  return [
    executable,
    ...namespaces,
    '--kill-child',
    ...['/bin/sh', ENTER_PATH],
    ...hiddenPaths.flatMap((path) => ['hide', path]),
    ...shown.flatMap((path) => ['show', path]),
    ...writable.flatMap((path) => ['write', path]),
    '--',
    ...words,
  ];
}
