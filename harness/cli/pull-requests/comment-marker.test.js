import { describe, expect, test } from '@jest/globals';
import { compareAge, isMarkerName, readMarker, writeMarker } from './comment-marker.js';

const OWN = {
  marker: 'default',
  runId: '20250612-101502-bson@7.2.0-vs-linked-list',
  createdAt: '2025-06-12T10:15:02.417Z',
};

test('what is written is read back, whatever follows', () => {
  const line = writeMarker(OWN);
  expect(line).toBe(
    '<!-- assay default 20250612-101502-bson@7.2.0-vs-linked-list 2025-06-12T10:15:02.417Z -->',
  );
  expect(readMarker(`${line}\n\n**faster**`)).toEqual(OWN);
  expect(readMarker(`${line}\r\n\r\n**faster**`)).toEqual(OWN);
});

test('a hostile run neither ends the line nor passes for another marker', () => {
  const line = writeMarker({ ...OWN, runId: '--><img src=x>\n other 1', createdAt: 'now -->' });
  expect(line).toMatch(/^<!-- assay default [\w.-]+ [\w.-]+ -->$/);
  expect(readMarker(line)).toBeNull();
  expect(writeMarker({ ...OWN, runId: 'x'.repeat(9999) }).length).toBeLessThan(400);
});

test.each([
  ['of a person', 'looks good'],
  ['that quotes one', `> ${writeMarker(OWN)}`],
  ['of a report on its own', '<!-- assay:run 20250612 -->'],
  ['without a time', '<!-- assay default 20250612 yesterday -->'],
])('a comment %s is not taken for one', (_, body) => {
  expect(readMarker(body)).toBeNull();
});

describe('age', () => {
  test('goes by the time of the run, then by its name', () => {
    const later = { ...OWN, createdAt: '2025-06-12T10:15:02.418Z' };
    expect(compareAge(later, OWN)).toBeGreaterThan(0);
    expect(compareAge(OWN, later)).toBeLessThan(0);
    expect(compareAge({ ...OWN, runId: '3' }, OWN)).toBeGreaterThan(0);
    expect(compareAge(OWN, { ...OWN })).toBe(0);
  });
});

test.each([
  ['default', true],
  ['node-22.x', true],
  ['', false],
  ['two words', false],
  ['--', false],
  ['x'.repeat(65), false],
])('%j as the name of a marker: %p', (name, isOne) => {
  expect(isMarkerName(name)).toBe(isOne);
});
