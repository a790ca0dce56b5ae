import { expect, test } from '@jest/globals';
import { FORMAT_VERSION } from '../harness/formats/format-version.js';
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
  const start = `{\n  "formatVersion": ${FORMAT_VERSION},\n  "runId": `;
  expect(renderJson(recordedRun('faster')).slice(0, start.length)).toBe(start);
});
