import { readFileSync } from 'node:fs';
import { deserialize as readReference } from 'bson';
import { listFields, makeObjectPicker } from '../../less/pick-objects.js';
import { spotCheckReader } from '../../../support/spot-check.js';
import { ByteVariations } from '../../../support/variations.js';
import { operation as reading } from '../deserialize.js';
import { takeExports } from './operation.js';

/** @import { Operation } from '../../../../harness/formats/types.ts' */
/** @import { PickFields } from '../../less/pick-objects.js' */
/** @import { Level, Part } from '../../../support/walk-bson.js' */

/** @typedef {Awaited<ReturnType<typeof reading.prepare>> & { isRead: (part: Part) => boolean }} State */

/**
 * An operation of the series that shows how many fields of a document must be read before reading all of it is faster. Where a
 * variant has no way of its own (`makePicker`), `deserialize` reads it whole. The fields are spread evenly over those of the
 * first document, arrays left out, up to the last one.
 * @param {number} count fields
 * @returns {Operation<State>}
 */
export function makePickOperation(count) {
  return {
    ...reading,
    summary: `${count} field${count === 1 ? '' : 's'} of each document, from BSON bytes`,
    series: { name: 'fields', label: 'fields read', at: count },
    defaultCorpora: ['tweet', 'movies', 'deep', 'large-doc'],
    readsDocuments: false,
    codesCanonical: false,
    takesCorpus: ({ firstDocument }) => listFields(firstDocument).length >= count,

    prepare(module, corpus) {
      const file = readFileSync(corpus.files.bytes);
      const first = readReference(file.subarray(0, file.readInt32LE()));
      const paths = choosePaths(listFields(first), count);
      /** @type {State['isRead']} */
      const isRead = (part) => part.type !== 'undefined' && isWithin(part, paths);
      const variations = new ByteVariations(file, isRead);
      const pick = choosePicker(module, paths);
      return { deserialize: pick, variations, isRead, turn: 0, last: null, sample: null };
    },

    spotCheck(state, chance) {
      const { deserialize: call, isRead } = state;
      return spotCheckReader(state, chance, { call, takeLast: ({ last }) => last, isRead });
    },
  };
}

/**
 * @param {object} module namespace of the variant
 * @param {string[][]} paths
 * @returns {PickFields}
 */
function choosePicker(module, paths) {
  if ('makePicker' in module) return takeExports(module, ['makePicker']).makePicker(paths);
  return makeObjectPicker(takeExports(module, ['deserialize']).deserialize, paths);
}

/** @type {(fields: string[][], count: number) => string[][]} */
function choosePaths(fields, count) {
  return Array.from({ length: count }, (_, index) => {
    return fields[Math.ceil((fields.length * (index + 1)) / count) - 1];
  });
}

/** Whether a part of a document belongs to one of these fields. @type {(part: Part, paths: string[][]) => boolean} */
function isWithin({ level, key }, paths) {
  const keys = key === null ? [] : [key];
  for (let at = /** @type {Level} */ (level); at.parent !== null; at = at.parent) {
    keys.unshift(at.key ?? '');
  }
  return paths.some((path) => path.every((each, index) => each === keys[index]));
}
