/** @typedef {{ kind: string, text: string }} Note a warning without its number */

/**
 * One note on all the places that it concerns.
 *
 * @param {string} kind
 * @param {string[]} places
 * @param {(places: string) => string} tell
 * @returns {Note[]} one note, or none without a place
 */
export function listPlaces(kind, places, tell) {
  return places.length === 0 ? [] : [{ kind, text: tell(places.join('; ')) }];
}
