import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { listRecorders } from './recorders-found.js';

const MAX_SUMMARY_LENGTH = 100;

const recorders = await listRecorders();
const files = readdirSync(fileURLToPath(new URL('recorders/', import.meta.url)));

test('recorders come by name', () => {
  const names = recorders.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(0);
  expect(names).toEqual([...names].sort());
});

describe.each(recorders)('recorder $name', (recorder) => {
  test('is called as its file', () => {
    expect(files).toContain(`${recorder.name}.js`);
  });

  test('says what it records in one line', () => {
    expect(recorder.summary).toMatch(/^\S[^\n]+[^.\s]$/);
    expect(recorder.summary.length).toBeLessThanOrEqual(MAX_SUMMARY_LENGTH);
  });

  test('asks for a whole number of processes', () => {
    expect(Number.isSafeInteger(recorder.processes) && recorder.processes >= 0).toBe(true);
  });

  test('answers on a host that has nothing', async () => {
    const probe = await recorder.probe({ environment: { PATH: '' }, toolsPath: '/nowhere' });
    expect(probe.available ? probe.detail : probe.reason).toMatch(/^\S[^\n]*[^.\s]$/);
  });
});
