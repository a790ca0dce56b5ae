import { observe } from '../../worker/observers/values.js';
import { recordCell } from './test-support/record-cell.js';
import { recorder } from './values.js';

/** @import { Operation, RecordContext } from '../../formats/types.ts' */

/** @param {Parameters<typeof recordCell>[1]} cell */
async function recordValues(cell) {
  const { observation, remove } = await recordCell(recorder, cell);
  remove();
  return observation;
}

test('the parsed flat document is a dictionary with 145 keys', async () => {
  const cell = { variant: 'recursive', operation: 'serialize', corpus: 'flat' };
  const { figures, artefacts, exercise } = await recordValues(cell);
  expect(figures).toEqual({
    kind: 'values',
    values: expect.objectContaining({
      dictionaries: 1,
      mostKeys: 145,
      strings: { 'one-byte': 48 },
    }),
  });
  expect(artefacts).toEqual([]);
  expect(exercise?.documents).toBe(20);
});

test('the values of a deserializer are its results', async () => {
  const cell = { variant: 'recursive', operation: 'deserialize', corpus: 'deep' };
  const { figures } = await recordValues(cell);
  expect(figures).toMatchObject({ values: { objects: 63, dictionaries: 0, hiddenClasses: 1 } });
});

test('an operation without values has no figures', async () => {
  const operation = /** @type {Operation} */ ({ summary: 'without values' });
  const describeNow = await observe({ operation, state: null });
  const exercise = async () => ({ observed: await describeNow() });
  const context = /** @type {RecordContext} */ (/** @type {unknown} */ ({ exercise }));
  expect(await recorder.record(context)).not.toHaveProperty('figures');
});
