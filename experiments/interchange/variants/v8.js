import { deserialize, serialize } from 'node:v8';
import { isObjectId, isRecord } from '../codec/values.js';

/** @import { Format, FormatModule } from '../codec/types.ts' */

export const variant = {
  idea: 'the structured clone format of V8',
  source: 'v8.serialize of Node',
  isPortable: true,
  breaks: {
    'object-ids': 'an instance of a class would come back as its fields, so ObjectIds become text',
    'trailing-bytes': 'what follows a message is ignored',
  },
};

/** @type {FormatModule['openFormat']} */
export function openFormat(documents) {
  return { encode: documents.some(hasIds) ? encodeWithoutIds : serialize, decode: deserialize };
}

/** @type {Format['encode']} */
function encodeWithoutIds(document) {
  return serialize(replaceIds(document));
}

/** An instance of a class would come back as its fields. @type {(value: unknown) => unknown} */
function replaceIds(value) {
  if (Array.isArray(value)) return value.map(replaceIds);
  if (isObjectId(value)) return value.toHexString();
  if (!isRecord(value)) return value;
  /** @type {Record<string, unknown>} */
  const copy = {};
  for (const key of Object.keys(value)) copy[key] = replaceIds(value[key]);
  return copy;
}

/** @type {(value: unknown) => boolean} */
function hasIds(value) {
  if (Array.isArray(value)) return value.some(hasIds);
  return isObjectId(value) || (isRecord(value) && Object.values(value).some(hasIds));
}
