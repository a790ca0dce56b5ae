import { recordedRun } from '../../fixtures/runs.js';
import { plainText } from '../../document/inline.js';
import { makeSizesSection, summarizeSizes } from './sizes.js';

test.each([
  ['messages', undefined, 'Smallest messages: raw ', 'Mean size of a message', 'raw'],
  [
    'code',
    { calls: 0, withLoad: true },
    'Smallest code: minified ',
    'Size of the code',
    'minified',
  ],
])('the sizes are those of %s', (_, cold, sentence, caption, column) => {
  const { manifest, verdict } = recordedRun('ranking-sizes');
  const cells = manifest.question.cells.map((cell) => ({ ...cell, ...(cold && { cold }) }));
  const question = { ...manifest.question, cells };
  expect(plainText(summarizeSizes(question, verdict))).toContain(sentence);
  const [table] = makeSizesSection({ ...manifest, question }, verdict).blocks;
  expect(table).toMatchObject({ caption: expect.stringContaining(caption) });
  expect(JSON.stringify(table)).toContain(`"title":"${column}"`);
});
