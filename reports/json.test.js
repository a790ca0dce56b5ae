import { expect, test } from '@jest/globals';
import { renderJson } from './json.js';
import { recordedRun } from './support/recorded-runs.js';

test('holds the verdict and nothing else', () => {
  const run = recordedRun('mixed');
  expect(JSON.parse(renderJson(run))).toEqual(run.verdict);
});

test('is the same text however the verdict was put together', () => {
  const run = recordedRun('mixed');
  const reversed = Object.fromEntries(Object.entries(run.verdict).reverse());
  const verdict = /** @type {typeof run.verdict} */ (/** @type {unknown} */ (reversed));
  expect(renderJson({ ...run, verdict })).toBe(renderJson(run));
});

test('begins with the format version and the run', () => {
  expect(renderJson(recordedRun('faster'))).toMatch(/^\{\n {2}"formatVersion": 2,\n {2}"runId": /);
});
