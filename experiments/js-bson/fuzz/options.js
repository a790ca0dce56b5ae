/**
 * Options of `deserialize` under which documents are fuzzed; the first is the most frequent.
 *
 * @type {Record<string, any>[]}
 */
export const READ_OPTIONS = [
  {},
  { promoteValues: false },
  { promoteValues: false, bsonRegExp: true },
  { promoteLongs: false },
  { promoteBuffers: true },
  { useBigInt64: true },
  { bsonRegExp: true },
  { raw: true },
  { fieldsAsRaw: { a: true, b: true, list: true, 0: true } },
  { validation: { utf8: false } },
  { validation: { utf8: { a: true, b: true } } },
  { validation: { utf8: { a: false } } },
  { allowObjectSmallerThanBufferSize: true },
];

/**
 * Options of `serialize` for writing the result again; the first is the most frequent.
 *
 * @type {Record<string, any>[]}
 */
export const WRITE_OPTIONS = [
  {},
  { checkKeys: true },
  { ignoreUndefined: false },
  { ignoreUndefined: false, serializeFunctions: true },
];
