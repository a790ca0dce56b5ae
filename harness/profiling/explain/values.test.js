import { describeValues, summarizeValues } from './values.js';

/** @import { ValueForms } from '../../formats/types.ts' */

/** @param {Partial<ValueForms>} [fields] @returns {ValueForms} */
function valuesOf(fields) {
  const kinds = { elements: {}, strings: {} };
  const counts = { objects: 10, dictionaries: 0, hiddenClasses: 1, arrays: 0, smis: 0, doubles: 0 };
  return { ...kinds, ...counts, mostKeys: 145, ...fields };
}

const ALL = valuesOf({ dictionaries: 10 });
const MANY_CLASSES = valuesOf({ hiddenClasses: 19 });

test.each([
  {
    name: 'dictionary mode, if enumerating properties is a cause',
    cause: 'Object.entries',
    values: { baseline: ALL, candidate: ALL },
    expected: [
      "V8 keeps all 10 objects as a hash table (dictionary mode; the largest has 145 keys), for which Object.entries cannot take V8's fast path.",
    ],
    short: ['145 keys in a hash table, where V8 has no fast path'],
  },
  {
    name: 'dictionary mode by arm, if the variants create the objects',
    cause: 'Object.keys',
    values: { baseline: valuesOf(), candidate: valuesOf({ dictionaries: 4 }) },
    expected: [
      expect.stringContaining(
        'V8 keeps 4 of 10 objects with the candidate and 0 of 10 objects with the baseline as a hash',
      ),
    ],
    short: ['145 keys in a hash table, where V8 has no fast path'],
  },
  {
    name: 'no dictionary mode for another cause',
    cause: 'typeof',
    values: { baseline: ALL, candidate: ALL },
    expected: [],
  },
  {
    name: 'no dictionary mode without such objects',
    cause: 'Object.keys',
    values: { baseline: valuesOf(), candidate: valuesOf() },
    expected: [],
  },
  {
    name: 'many hidden classes, if reading properties is a cause',
    cause: 'property reads that V8 did not inline',
    values: { baseline: MANY_CLASSES, candidate: MANY_CLASSES },
    expected: ['The values have 19 hidden classes; an inline cache holds at most 4.'],
    short: ['19 hidden classes (an inline cache holds 4)'],
  },
])('the paragraph reports $name', ({ cause, values, expected, short = [] }) => {
  const change = { estimate: 1, low: 0.5, high: 1.5 };
  const selfNs = { baseline: 1, candidate: 2 };
  const kind = /** @type {const} */ ('builtins');
  const group = { name: cause, label: cause, kind, change, selfNs, members: [], named: [] };
  expect(describeValues([group], values)).toEqual(expected);
  expect(summarizeValues([group], values)).toEqual(short);
});
