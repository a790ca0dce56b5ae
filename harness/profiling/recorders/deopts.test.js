import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { recorder } from './deopts.js';
import { recordCell } from './test-support/record-cell.js';

/** @import { DeoptLog } from '../../formats/types.ts' */

/** @type {Awaited<ReturnType<typeof recordCell>>} */
let recorded;
beforeAll(async () => {
  const cell = { variant: 'linked-list', operation: 'deserialize', corpus: 'full' };
  recorded = await recordCell(recorder, cell);
});
afterAll(() => recorded.remove());

/** @returns {DeoptLog} */
function readLog() {
  const [artefact = ''] = recorded.observation.artefacts;
  return JSON.parse(readFileSync(join(recorded.path, artefact), 'utf8'));
}

test('the log has functions of the variant with their tier, and none of the harness', () => {
  const { functions } = readLog();
  expect(functions).toContainEqual(
    expect.objectContaining({
      name: 'readDocument',
      file: 'experiments/js-bson/traversals/read-linked-list.js',
      // How far the warm-up gets depends on how busy the machine is.
      tier: expect.not.stringMatching('interpreter'),
    }),
  );
  expect(functions.filter(({ file }) => /^(harness|corpora)\//.test(file))).toEqual([]);
});

test('a site with changing keys is megamorphic', () => {
  const assign = readLog().functions.find(({ name }) => name === 'assignField');
  expect(assign?.sites).toContainEqual(
    expect.objectContaining({ cache: 'KeyedStoreIC', state: 'megamorphic', key: null }),
  );
});

test('only the artefact remains, not the V8 log', () => {
  const [artefact = ''] = recorded.observation.artefacts;
  expect(recorded.observation.artefacts).toHaveLength(1);
  expect(readdirSync(dirname(join(recorded.path, artefact)))).toEqual([
    'deserialize-full-candidate-0.deopts.json',
  ]);
});
