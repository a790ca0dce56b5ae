import { renderTerminal } from '../document/terminal.js';
import { DOCUMENTS } from '../fixtures/documents.js';
import { countSetUps, setUpSection } from './setup.js';

const [built, , plain, missing, failed] = DOCUMENTS.setup.variants.results.setUps;

test('colour is on the words alone', () => {
  const text = renderTerminal({ sections: [setUpSection(plain, 11)] }, { color: true });
  expect(text).toBe('js-bson      \u001b[32mready: needs nothing\u001b[0m\n');
});

test('the closing line counts what there is', () => {
  expect(countSetUps([built, plain])).toBe('2 ready');
  expect(countSetUps([built, missing, plain])).toBe('2 ready, 1 cannot run here');
  expect(countSetUps([missing, failed])).toBe('0 ready, 1 cannot run here, 1 failed');
});
