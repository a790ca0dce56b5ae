import { keyComponent, quoteText } from './path-text.js';

/** @typedef {import('./summarize-value.js').Child} Child */

/**
 * Whether the prototype is that of object literals, of this realm or another.
 *
 * @param {object} value
 * @returns {boolean}
 */
export function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype) return true;
  return (
    prototype !== null &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype, 'isPrototypeOf')
  );
}

/**
 * Name of the class that made an object, by the prototype's own constructor: one that is inherited
 * or is a field of the document says nothing.
 *
 * @param {object} value
 * @returns {string}
 */
export function nameClass(value) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null) return '(null prototype)';
  const maker = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  return typeof maker === 'function' ? maker.name : '(unusual prototype)';
}

/**
 * Own enumerable properties in their order, those with a symbol for key last.
 *
 * @param {object} value
 * @returns {Child[]}
 */
export function listOwn(value) {
  const holder = /** @type {Record<PropertyKey, unknown>} */ (value);
  const isArray = Array.isArray(value);
  /** @type {Child[]} */
  const children = [];
  for (const key of Object.keys(holder)) {
    const component = isArray && isIndex(key) ? `[${key}]` : keyComponent(key);
    children.push({ component, value: holder[key] });
  }
  for (const symbol of Object.getOwnPropertySymbols(holder)) {
    if (!Object.prototype.propertyIsEnumerable.call(holder, symbol)) continue;
    children.push({ component: `<${quoteText(String(symbol))}>`, value: holder[symbol] });
  }
  return children;
}

/**
 * @param {string} key
 * @returns {boolean}
 */
function isIndex(key) {
  return String(Number(key) >>> 0) === key;
}
