/** What the two variants of JSON have in common. */

/** Rows of the contract that JSON breaks. */
export const differencesOfJson = Object.freeze({
  dates: 'dates come back as text in ISO 8601',
  'object-ids': 'ObjectIds come back as text in hexadecimal',
  'non-finite-numbers': 'numbers that are not finite come back as null',
  'negative-zero': '-0 comes back as 0',
});

/** @type {import('./types.ts').Format['decode']} */
export function decodeJson(message) {
  return JSON.parse(String(message));
}
