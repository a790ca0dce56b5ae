import { expect, test } from '@jest/globals';
import { summarizeContract } from './contract.js';
import { makeCell, makeManifest, makeVerdict } from '../fixtures/build.js';
import { describeChecks } from './check.js';
import { measuredLabel } from './comparison/background.js';
import { endSentence, verdictSentence } from './comparison/verdict.js';
import { plainText } from '../document/inline.js';
import { renderTerminal } from '../document/terminal.js';

const PLURAL_OF_ONE =
  /(?<![\d.,/\u00a0])\b1[ \u00a0](processes|cells|observations|parts|differences|promises|documents|fail|hold|differ)\b/;

const cell = makeCell({
  operation: 'serialize',
  corpus: 'flat',
  verdict: 'slower',
  processes: 1,
  ratio: [1.1, 1.2, 1.3],
});
const verdict = makeVerdict([cell], { ended: 'interrupted' });
const once = { ...verdict, timing: { ...verdict.timing, observations: 1 } };
const row = {
  theme: '',
  name: 'json',
  promise: '',
  outcome: /** @type {const} */ ('fails'),
  detail: null,
};

test.each([
  ['the verdict', plainText(verdictSentence(makeManifest(), once))],
  ['the end', plainText(endSentence(once, 'run') ?? '')],
  ['what was measured', measuredLabel(once)],
  ['a contract', summarizeContract([row])],
  [
    'a check',
    renderTerminal(
      describeChecks([
        {
          spec: 'a',
          reference: 'b',
          differences: [
            { variant: 'a', cellId: 'x y', document: 0, path: 'p', expected: '1', found: '2' },
          ],
          passed: 1,
          failures: [{ name: 'n', expected: '1', found: '2' }],
          contract: [row],
        },
      ]),
    ),
  ],
])('%s does not count one in the plural', (_what, text) => {
  expect(text).toMatch(/\b1\b/);
  expect(text).not.toMatch(PLURAL_OF_ONE);
});
