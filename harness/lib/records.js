/**
 * @template R
 * @typedef {{ [K in keyof R as undefined extends R[K] ? never : K]: R[K] }
 *   & { [K in keyof R as undefined extends R[K] ? K : never]?: Exclude<R[K], undefined> }} WithoutUndefined
 */

/** @type {(value: unknown) => value is Record<string, any>} neither null nor an array */
export function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Copies a record without the properties that are undefined, because `exactOptionalPropertyTypes` requires
 * that an optional property is absent: `{ id, ...omitUndefined({ runtime, cold }) }`.
 *
 * @template {object} const R
 * @param {R} record
 * @returns {WithoutUndefined<R>}
 */
export function omitUndefined(record) {
  const defined = Object.entries(record).filter(([, value]) => value !== undefined);
  return /** @type {any} */ (Object.fromEntries(defined));
}
