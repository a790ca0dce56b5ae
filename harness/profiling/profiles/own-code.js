/** Of one that the compiler split or specialised, or that the linker numbered. */
const PART = / \[clone [^\]]*\]|(?:\.(?:cold|constprop|isra|llvm|lto_priv|part)(?:\.\d+)*)+$/g;
const HASH = /::h[0-9a-f]{16}$/;

/**
 * @param {string} object where perf found a symbol
 * @param {string | null} buildPath absolute path of what the family built
 * @returns {boolean} whether the family built it, or it is an addon of node
 */
export function isOwnObject(object, buildPath) {
  return (buildPath !== null && object.startsWith(`${buildPath}/`)) || object.endsWith('.node');
}

/**
 * @param {string} symbol of a function that was compiled ahead of time
 * @returns {string} without what differs from build to build: hashes, numbers and parts
 */
export function cleanName(symbol) {
  return symbol.replace(PART, '').replace(HASH, '');
}
