/**
 * @param {string} spec `npm:bson@7.2.0@node=22`
 * @returns {string} without the Node that it is pinned to: `npm:bson@7.2.0`
 */
export function withoutPin(spec) {
  return spec.replace(/@node=.*$/s, '');
}
