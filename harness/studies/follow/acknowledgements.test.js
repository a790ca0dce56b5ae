import { coversCell, parseAcknowledgements } from './acknowledgements.js';

test('a line names a commit, cells, an answer and a reason', () => {
  const { answers, problems } = parseAcknowledgements(
    [
      '# Changes that we know of.',
      '',
      '0123abc serialize/flat,deserialize/* expected: the new check: it is worth it',
      '  0123456789abcdef0123456789abcdef01234567  *  wontfix: rare',
    ].join('\n'),
  );
  expect(problems).toEqual([]);
  expect(answers).toEqual([
    {
      commit: '0123abc',
      cells: ['serialize/flat', 'deserialize/*'],
      answer: 'expected',
      reason: 'the new check: it is worth it',
      line: 3,
    },
    expect.objectContaining({ cells: ['*/*'], answer: 'wontfix', line: 4 }),
  ]);
});

test.each([
  ['0123abc serialize/flat', 'is not of the form'],
  ['v7.3.0 * expected: x', "'v7.3.0' is not a commit"],
  ['0123abc flat expected: x', "'flat' is not a cell"],
  ['0123abc serialize/flat, expected: x', "'' is not a cell"],
  ['0123abc * fixed: x', "'fixed' is not an answer"],
  ['0123abc * expected:', 'the reason is missing'],
])('%s: one message with the number of the line', (line, message) => {
  const { answers, problems } = parseAcknowledgements(`\n${line}`);
  expect(answers).toEqual([]);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/^answers, line 2: /);
  expect(problems[0]).toContain(message);
});

test.each([
  ['*', true],
  ['serialize/flat', true],
  ['serialize/*', true],
  ['*/flat', true],
  ['serialize/deep,*/flat', true],
  ['deserialize/flat', false],
])('%s is for serialize/flat: %s', (cells, isFor) => {
  const [answer] = parseAcknowledgements(`0123abc ${cells} expected: x`).answers;
  expect(coversCell(answer, { operation: 'serialize', corpus: 'flat' })).toBe(isFor);
});
