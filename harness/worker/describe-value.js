import { types } from 'node:util';
import { isBytes, isProxy, takeBytes, timeOf } from './bound.js';
import { ROOT_PATH, extendPath, keyComponent, quoteText, showPath } from './path-text.js';
import { nameMaker, summarizeBsonValue } from './summarize-bson-value.js';

/** @import { Path } from './path-text.js' */

/** @typedef {{ value: unknown, path: Path, children: Child[], next: number }} Frame */

/**
 * Canonical description of a deserialized value: a line for every value, containers before their
 * content, `path TAB type TAB exact value`. Two values have the same description only if
 * `assert.deepStrictEqual` considers them equal; it also distinguishes the order of properties, the
 * class of a buffer, and values from what computes them, proxies and properties with a getter. A BSON value class is identified by `_bsontype` and described by its
 * public properties, so the copy of the library does not matter.
 *
 * The order of lines gives the structure if a very long path is shortened.
 * @type {(value: unknown) => string} lines separated by `\n`, without one at the end
 */
export function describeValue(value) {
  /** @type {string[]} */
  const lines = [];
  /** @type {Frame[]} */
  const open = [];
  const ancestors = new Set();

  /** @param {unknown} inner @param {Path} path */
  function describeOne(inner, path) {
    if (ancestors.has(inner)) {
      lines.push(`${showPath(path)}\tcircular\t`);
      return;
    }
    const { type, text, children } = summarizeValue(inner);
    lines.push(`${showPath(path)}\t${type}\t${text}`);
    if (children.length === 0) return;
    ancestors.add(inner);
    open.push({ value: inner, path, children, next: 0 });
  }

  describeOne(value, ROOT_PATH);
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const child = frame.children[frame.next++];
    if (child === undefined) {
      ancestors.delete(frame.value);
      open.pop();
    } else {
      describeOne(child.value, extendPath(frame.path, child.component));
    }
  }
  return lines.join('\n');
}

/**
 * A value without its children.
 * @typedef {object} Summary
 * @property {string} type
 * @property {string} text everything about the value except its children; no line break
 * @property {Child[]} children in the order in which they are described
 *
 * @typedef {object} Child
 * @property {string} component of its path: `.key`, `[3]`, `<scope>`
 * @property {unknown} value
 */

/** @type {Child[]} */
const NONE = [];
// Taken before a variant is loaded, which could replace them.
const { getOwnPropertyDescriptor, isExtensible } = Object;

/** Type, exact value and children of one value. @type {(value: unknown) => Summary} */
function summarizeValue(value) {
  switch (typeof value) {
    case 'string':
      return { type: 'string', text: quoteText(value), children: NONE };
    case 'number':
      return { type: 'number', text: Object.is(value, -0) ? '-0' : String(value), children: NONE };
    case 'function':
      return { type: 'function', text: quoteText(String(value)), children: listOwn(value) };
    case 'object':
      return value === null ? { type: 'null', text: '', children: NONE } : summarizeObject(value);
    case 'undefined':
      return { type: 'undefined', text: '', children: NONE };
    case 'symbol':
      if (value === ACCESSOR) return { type: 'accessor', text: '', children: NONE };
      return { type: 'symbol', text: String(value), children: NONE };
    default:
      return { type: typeof value, text: String(value), children: NONE };
  }
}

/** @type {(value: object) => Summary} */
function summarizeObject(value) {
  // It may answer differently each time, and do its work when it is asked.
  if (isProxy(value)) return { type: 'proxy', text: '', children: NONE };
  if (Array.isArray(value)) return summarizeArray(value);
  if (isPlain(value))
    return { type: nameHeld('object', value), text: '', children: listOwn(value) };
  return summarizeBsonValue(value) ?? summarizeBuiltIn(value) ?? summarizeInstance(value);
}

/** Holes appear as missing indices below the length. @type {(value: unknown[]) => Summary} */
function summarizeArray(value) {
  const name = nameClass(value);
  const type = nameHeld(name === 'Array' ? 'array' : `array of class ${name}`, value);
  return { type, text: `length ${value.length}`, children: listOwn(value) };
}

/** @type {(type: string, value: object) => string} */
function nameHeld(type, value) {
  return isExtensible(value) ? type : `${type} that cannot be extended`;
}

/** @type {(value: object) => Summary} */
function summarizeInstance(value) {
  return { type: `object of class ${nameClass(value)}`, text: '', children: listOwn(value) };
}

/**
 * Summary of a date, regular expression, buffer, map, set or boxed primitive.
 * @type {(value: object) => Summary | null} null for anything else
 */
function summarizeBuiltIn(value) {
  const type = nameClass(value);
  if (types.isDate(value)) {
    const time = timeOf(value);
    const text = Number.isNaN(time) ? 'Invalid Date' : new Date(time).toISOString();
    return { type, text, children: listOwn(value) };
  }
  if (types.isRegExp(value)) {
    const text = `${quoteText(value.source)} flags "${value.flags}" lastIndex ${value.lastIndex}`;
    return { type, text, children: listOwn(value) };
  }
  if (isBytes(value)) {
    return { type, text: showBytes(value), children: [] };
  }
  if (ArrayBuffer.isView(value)) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return { type, text: showBytes(bytes), children: [] };
  }
  if (types.isAnyArrayBuffer(value)) {
    return { type, text: showBytes(Buffer.from(value)), children: [] };
  }
  if (types.isMap(value) || types.isSet(value)) {
    return {
      type,
      text: `size ${value.size}`,
      children: [...listEntries(value), ...listOwn(value)],
    };
  }
  if (types.isBoxedPrimitive(value)) {
    return { type, text: '', children: [{ component: '<value>', value: value.valueOf() }] };
  }
  return null;
}

/** @type {(value: Uint8Array) => string} */
function showBytes(value) {
  const bytes = takeBytes(value);
  return Buffer.isBuffer(bytes) ? `${bytes.length} bytes: ${bytes.toString('hex')}` : String(bytes);
}

/**
 * Entries of a map, as key and value, or members of a set, as value alone.
 * @type {(collection: Map<unknown, unknown> | Set<unknown>) => Child[]}
 */
function listEntries(collection) {
  /** @type {Child[]} */
  const children = [];
  let position = 0;
  for (const [key, value] of collection.entries()) {
    if (types.isMap(collection)) children.push({ component: `<key ${position}>`, value: key });
    children.push({ component: `<value ${position}>`, value });
    position++;
  }
  return children;
}

/**
 * Whether the prototype is that of object literals, of this realm or another.
 * @type {(value: object) => boolean}
 */
function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype) return true;
  return (
    prototype !== null &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype, 'isPrototypeOf')
  );
}

/**
 * Name of the class of an object, from the prototype's own constructor, because an inherited one or
 * a field of the document would be misleading.
 * @type {(value: object) => string}
 */
function nameClass(value) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null) return '(null prototype)';
  const maker = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  return typeof maker === 'function' ? nameMaker(maker) : '(unusual prototype)';
}

/**
 * Own enumerable properties in order, those with symbol keys last.
 * @type {(value: object) => Child[]}
 */
function listOwn(value) {
  const holder = /** @type {Record<PropertyKey, unknown>} */ (value);
  const isArray = Array.isArray(value);
  /** @type {Child[]} */
  const children = [];
  for (const key of Object.keys(holder)) {
    const component = isArray && isIndex(key) ? `[${key}]` : keyComponent(key);
    children.push({ component, value: readOwn(holder, key) });
  }
  for (const symbol of Object.getOwnPropertySymbols(holder)) {
    if (!Object.prototype.propertyIsEnumerable.call(holder, symbol)) continue;
    children.push({ component: `<${quoteText(String(symbol))}>`, value: readOwn(holder, symbol) });
  }
  return children;
}

/** Stands for the value of a property that has a getter instead. */
const ACCESSOR = Symbol('accessor');

/** @type {(holder: object, key: PropertyKey) => unknown} without a call of a getter */
function readOwn(holder, key) {
  const descriptor = getOwnPropertyDescriptor(holder, key);
  return descriptor === undefined || 'value' in descriptor ? descriptor?.value : ACCESSOR;
}

/** @type {(key: string) => boolean} */
function isIndex(key) {
  return String(Number(key) >>> 0) === key;
}
