import { describe, expect, test } from '@jest/globals';
import { listOverflows } from '../support/test-support/list-overflows.js';
import { makeClaim, makeReproduction, tell } from './support/fixtures.js';
import { renderTerminal } from './terminal.js';

test('counts the verdicts and has claimed and measured side by side', () => {
  const text = renderTerminal({ reproduction: makeReproduction(), path: 'runs/x' });
  expect(text).toMatch(/^5 claims: 1 reproduced, 1 direction only, 1 not reproduced, 1 inconc/);
  expect(text).toMatch(/flat +2\.000 +2\.100 +1\.900–2\.300 +reproduced/);
  expect(text).toMatch(/deep: less of it/);
  expect(text).toMatch(/deep \* +2\.000/);
  expect(text).toMatch(/\* deep: the source contradicts itself, one figure is not the other/);
  expect(text).toMatch(/suite +same +– +– +cannot run here/);
  expect(text).toMatch(/Reports +runs\/x/);
});

test('one that was interrupted says so', () => {
  const text = renderTerminal({ reproduction: makeReproduction({ ended: 'interrupted' }) });
  expect(text.replaceAll('\n', ' ')).toMatch(/Interrupted: claims that had no turn are left out/);
});

describe.each([80, 120])('at %i columns', (width) => {
  test('no line is longer', () => {
    const long = makeClaim('a-name-that-goes-on-and-on-until-nothing-else-has-any-room-left');
    const told = [...makeReproduction().told, tell(long, { reason: 'x'.repeat(30) })];
    const text = renderTerminal({ reproduction: makeReproduction({ told }), width });
    expect(listOverflows(text, width)).toEqual([]);
  });
});
