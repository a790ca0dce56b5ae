import { describe, expect, test } from '@jest/globals';
import { describeValues } from './v8-sentences.js';

/** @import { ValueForms } from '../../formats/types.ts' */
/** @import { CauseGroup } from './types.ts' */

/** @param {string} label @returns {CauseGroup} */
function causeOf(label) {
  const change = { estimate: 1, low: 0.5, high: 1.5 };
  const selfNs = { baseline: 1, candidate: 2 };
  return { name: label, label, kind: 'builtins', change, selfNs, members: [], named: [] };
}

/** @param {Partial<ValueForms>} fields @returns {ValueForms} */
function valuesOf(fields) {
  const kinds = { elements: {}, strings: {} };
  const counts = { objects: 10, dictionaries: 0, hiddenClasses: 1, arrays: 0, smis: 0, doubles: 0 };
  return { ...kinds, ...counts, mostKeys: 145, ...fields };
}

describe('dictionary mode', () => {
  test('is reported if enumerating properties is a cause', () => {
    const values = valuesOf({ dictionaries: 10 });
    expect(
      describeValues([causeOf('Object.entries')], { baseline: values, candidate: values }),
    ).toEqual([
      "V8 keeps all 10 objects as a hash table (dictionary mode; the largest has 145 keys), for which Object.entries cannot take V8's fast path.",
    ]);
  });

  test('is reported per arm if the variants create the objects', () => {
    const arms = { baseline: valuesOf({}), candidate: valuesOf({ dictionaries: 4 }) };
    expect(describeValues([causeOf('Object.keys')], arms)[0]).toContain(
      'V8 keeps 4 of 10 objects with the candidate and 0 of 10 objects with the baseline as a hash',
    );
  });

  test('is not reported for other causes or without such objects', () => {
    const values = valuesOf({ dictionaries: 10 });
    const ordinary = valuesOf({});
    expect(describeValues([causeOf('typeof')], { baseline: values, candidate: values })).toEqual(
      [],
    );
    expect(
      describeValues([causeOf('Object.keys')], { baseline: ordinary, candidate: ordinary }),
    ).toEqual([]);
  });
});

test('many hidden classes are reported if reading properties is a cause', () => {
  const values = valuesOf({ hiddenClasses: 19 });
  const causes = [causeOf('property reads that V8 did not inline')];
  expect(describeValues(causes, { baseline: values, candidate: values })).toEqual([
    'The values have 19 hidden classes; an inline cache holds at most 4.',
  ]);
});
