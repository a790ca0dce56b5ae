/**
 * V8's internal view of a value. The functions exist in every build under `--allow-natives-syntax`, and
 * `isOneByte` under `--expose-externalize-string` (seen in V8 11.3 to 14.6).
 *
 * @typedef {object} V8Natives
 * @property {(object: object) => boolean} isFast whether its properties are in fields, not in a hash table
 * @property {(a: object, b: object) => boolean} haveSameMap whether they share a hidden class
 * @property {(array: object) => string} nameElements `packed smi`, `holey double`, `dictionary`, …
 * @property {(value: number) => boolean} isSmi
 * @property {(text: string) => boolean} isInternalized
 * @property {(text: string) => boolean} isOneByte
 */

export const NATIVES_FLAGS = Object.freeze([
  '--allow-natives-syntax',
  '--expose-externalize-string',
]);

/**
 * Compiled from text, since the syntax is only valid with the flag.
 *
 * @returns {V8Natives}
 * @throws {SyntaxError} in a process without the flags
 */
export function openNatives() {
  const natives = {
    isFast: compile('HasFastProperties'),
    haveSameMap: compile('HaveSameMap'),
    isSmi: compile('IsSmi'),
    isInternalized: compile('IsInternalizedString'),
    isOneByte: /** @type {any} */ (globalThis).isOneByteString,
  };
  return { ...natives, nameElements: openElements() };
}

/** @returns {V8Natives['nameElements']} */
function openElements() {
  const isDictionary = compile('HasDictionaryElements');
  const isHoley = compile('HasHoleyElements');
  const isSmi = compile('HasSmiElements');
  const isDouble = compile('HasDoubleElements');
  return function nameElements(array) {
    if (isDictionary(array)) return 'dictionary';
    const kind = isSmi(array) ? 'smi' : isDouble(array) ? 'double' : 'object';
    return `${isHoley(array) ? 'holey' : 'packed'} ${kind}`;
  };
}

/** @param {string} name of a V8 runtime function @returns {(...values: unknown[]) => boolean} */
function compile(name) {
  const parameters = name === 'HaveSameMap' ? 'a, b' : 'a';
  return /** @type {any} */ (new Function(parameters, `return %${name}(${parameters});`));
}
