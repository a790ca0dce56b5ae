import { renderTerminal } from '../document/terminal.js';
import { describeProfile } from './profile.js';

test.each([
  [[], false],
  [['Other processes used 40 % of the CPU time while jobs were timed.'], true],
])('a profile begins with what disturbed it: %j', (disturbances, isNoted) => {
  const document = describeProfile({ spec: 'fast', path: 'runs/x', recorded: [], disturbances });
  const text = renderTerminal(document, { width: 400, color: false });
  expect(text.includes('The host was busy')).toBe(isNoted);
  expect(text.includes('used 40 % of the CPU time')).toBe(isNoted);
});
