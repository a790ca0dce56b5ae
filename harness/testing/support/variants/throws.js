/** Refuses every document. */
export * from 'bson';

/** @throws {TypeError} always */
export function serialize() {
  throw new TypeError('\u001b[31mno documents today');
}
