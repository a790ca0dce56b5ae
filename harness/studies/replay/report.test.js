import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { renderHtml } from '../../../reports/fixtures/render.js';
import { recordedRun } from '../../../reports/fixtures/runs.js';
import { REPLAY_END, REPLAY_START } from '../../formats/replay-marks.js';
import { AssayError } from '../../lib/errors.js';
import { readReport } from './report.js';

const directory = mkdtempSync(join(tmpdir(), 'assay-report-'));
afterAll(() => rmSync(directory, { recursive: true }));

const run = recordedRun('faster');
const { verdict } = run;

/**
 * @param {string} name
 * @param {string} text
 */
function write(name, text) {
  writeFileSync(join(directory, name), text);
  return name;
}

/** @param {string} name */
function read(name) {
  return readReport(join(directory, name), name);
}

/**
 * @param {string} name
 * @returns {Promise<string>} what it is refused with
 */
async function refusalOf(name) {
  const error = await read(name).then(
    () => new Error('it was read'),
    (reason) => reason,
  );
  if (error instanceof AssayError) return error.message;
  throw error;
}

describe('a replay record is found', () => {
  test('in the directory of a run', async () => {
    mkdirSync(join(directory, 'run'));
    write('run/verdict.json', JSON.stringify(verdict));
    await expect(read('run')).resolves.toEqual(verdict.replay);
  });

  test('in a verdict.json alone', async () => {
    await expect(read(write('v.json', JSON.stringify(verdict)))).resolves.toEqual(verdict.replay);
  });

  test('in a page alone', async () => {
    await expect(read(write('r.html', renderHtml(run)))).resolves.toEqual(verdict.replay);
  });
});

test('a text of a page that looks like the record is not taken for it', async () => {
  const { manifest } = run;
  const hostile = `${REPLAY_START}{}${REPLAY_END}`;
  const question = { ...manifest.question, candidate: hostile };
  const replay = { ...verdict.replay, runId: hostile };
  const page = renderHtml({ manifest: { ...manifest, question }, verdict: { ...verdict, replay } });
  await expect(read(write('hostile.html', page))).resolves.toEqual(replay);
});

describe('anything else is refused', () => {
  test('what is not there', async () => {
    expect(await refusalOf('nothing')).toBe("there is no 'nothing'");
  });

  test('a run that was cut off', async () => {
    mkdirSync(join(directory, 'cut'));
    write('cut/manifest.json', '{}');
    expect(await refusalOf('cut')).toBe("the run 'cut' has no verdict.json: it was interrupted");
  });

  test('a reproduction, by saying where its runs are', async () => {
    mkdirSync(join(directory, 'claims'));
    write('claims/reproduction.json', '{}');
    expect(await refusalOf('claims')).toBe(
      "'claims' is a reproduction, which is made of several runs",
    );
  });

  test.each(['other.txt', 'noending'])('a file of another kind: %s', async (name) => {
    expect(await refusalOf(write(name, 'text'))).toMatch(/is neither a run's directory, nor/);
  });

  test.each([
    ['large.html', 65, 64],
    ['large.json', 17, 16],
  ])('a file that is too large, before it is read: %s', async (name, size, most) => {
    truncateSync(join(directory, write(name, '')), size * 2 ** 20);
    expect(await refusalOf(name)).toMatch(new RegExp(`has ${size} MiB, more than ${most} MiB`));
  });

  test('a page without a record, or one that is cut off', async () => {
    const words = "'p.html' has no replay record";
    expect(await refusalOf(write('p.html', '<!doctype html>'))).toBe(words);
    expect(await refusalOf(write('p.html', `${REPLAY_START}{}`))).toBe(words);
  });

  test('a page with two records', async () => {
    const block = `${REPLAY_START}${JSON.stringify(verdict.replay)}${REPLAY_END}`;
    expect(await refusalOf(write('two.html', block + block))).toBe(
      "'two.html' has more than one replay record",
    );
  });

  test('broken JSON, of which nothing is quoted', async () => {
    expect(await refusalOf(write('b.json', '{ "\u001b[2J'))).toBe("'b.json' is not valid JSON");
  });

  test.each(['[]', 'null', '7', '{}'])('JSON that is no verdict: %s', async (text) => {
    expect(await refusalOf(write('n.json', text))).toMatch(
      /^'n.json' has no replay record: it names no format version/,
    );
  });

  test('a verdict of before there were records, by naming both formats', async () => {
    expect(await refusalOf(write('old.json', '{"formatVersion":3}'))).toMatch(
      /it has format '3', this Assay reads format \d+$/,
    );
  });

  test('a record nested deeper than any', async () => {
    const text = `{"replay":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(await refusalOf(write('deep.json', text))).toMatch(/nested more than 12 levels deep/);
  });
});
