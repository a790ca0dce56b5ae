/**
 * Makes the function that reads the whole document and takes fields of it: what an application does.
 * @param {(bytes: Uint8Array) => any} deserialize
 * @param {string[][]} paths the keys to each field
 * @returns {PickFields}
 */
export function makeObjectPicker(deserialize, paths) {
  return function pickFields(bytes) {
    const document = deserialize(bytes);
    const values = [];
    for (let index = 0; index < paths.length; index++) {
      values.push(takeField(document, paths[index]));
    }
    return values;
  };
}

/**
 * Values of the fields, as `deserialize` gives them; undefined for one that a document does not have. Arrays and values of
 * BSON classes have no fields.
 * @typedef {(bytes: Uint8Array) => unknown[]} PickFields
 */

/** @type {(document: any, path: string[]) => unknown} */
function takeField(document, path) {
  let value = document;
  for (let index = 0; index < path.length; index++) {
    if (!isDocument(value) || !Object.hasOwn(value, path[index])) return undefined;
    value = value[path[index]];
  }
  return value;
}

/** @type {(value: any) => boolean} */
function isDocument(value) {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

/** @type {(document: object, path?: string[]) => string[][]} paths of what is neither an array nor a document */
export function listFields(document, path = []) {
  return Object.entries(document).flatMap(([key, value]) => {
    if (isDocument(value)) return listFields(value, [...path, key]);
    return Array.isArray(value) || value === undefined ? [] : [[...path, key]];
  });
}
