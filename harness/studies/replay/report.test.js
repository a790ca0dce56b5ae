import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renderHtml } from '../../../reports/fixtures/render.js';
import { recordedRun } from '../../../reports/fixtures/runs.js';
import { REPLAY_END, REPLAY_START } from '../../formats/replay-marks.js';
import { AssayError } from '../../lib/errors.js';
import { readReport } from './report.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

const directory = makeTestDirectory('report');

const run = recordedRun('faster');
const { verdict } = run;
const VERDICT = JSON.stringify(verdict);
const BLOCK = `${REPLAY_START}${JSON.stringify(verdict.replay)}${REPLAY_END}`;

/** @param {string} name of a file @param {string | number} content its text, or its size in MiB */
function write(name, content) {
  const path = join(directory, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : '');
  if (typeof content === 'number') truncateSync(path, content * 2 ** 20);
}

/** @param {string} name */
const read = (name) => readReport(join(directory, name), name);

test.each([
  ['the directory of a run', 'run', 'run/verdict.json', VERDICT],
  ['a verdict alone', 'v.json', 'v.json', VERDICT],
  ['a page alone', 'r.html', 'r.html', renderHtml(run)],
])('reads the replay record of %s', async (_, name, file, text) => {
  write(file, text);
  await expect(read(name)).resolves.toEqual(verdict.replay);
});

test('text of a page that looks like a replay record is not taken for it', async () => {
  const { manifest } = run;
  const hostile = `${REPLAY_START}{}${REPLAY_END}`;
  const question = { ...manifest.question, candidate: hostile };
  const replay = { ...verdict.replay, runId: hostile };
  write(
    'hostile.html',
    renderHtml({ manifest: { ...manifest, question }, verdict: { ...verdict, replay } }),
  );
  await expect(read('hostile.html')).resolves.toEqual(replay);
});

/** @type {[string, string, string | number | null, RegExp][]} */
const REFUSALS = [
  ['a missing file', 'nothing', null, /^there is no 'nothing'$/],
  [
    'an interrupted run',
    'a run/manifest.json',
    '{}',
    /^the run 'a run' has no verdict\.json: it was/,
  ],
  [
    'a reproduction',
    'claims/reproduction.json',
    '{}',
    /^'claims' is a reproduction, which is made of/,
  ],
  ['another kind of file', 'other.txt', 'text', /is neither a run's directory, nor/],
  ['a file without a kind', 'noending', 'text', /is neither a run's directory, nor/],
  ['a page that is too large', 'large.html', 65, /has 65 MiB, more than 64 MiB/],
  ['a verdict that is too large', 'large.json', 17, /has 17 MiB, more than 16 MiB/],
  ['a page without a record', 'p.html', '<!doctype html>', /^'p\.html' has no replay record$/],
  ['a truncated page', 't.html', `${REPLAY_START}{}`, /^'t\.html' has no replay record$/],
  ['a page with two records', 'two.html', BLOCK + BLOCK, /has more than one replay record$/],
  ['broken JSON, without quoting it', 'b.json', '{ "\u001b[2J', /^'b\.json' is not valid JSON$/],
  ['a list', 'list.json', '[]', /has no replay record: it names no format version/],
  ['null', 'null.json', 'null', /has no replay record: it names no format version/],
  ['a number', 'number.json', '7', /has no replay record: it names no format version/],
  ['an empty object', 'empty.json', '{}', /has no replay record: it names no format version/],
  [
    'a format without records',
    'old.json',
    '{"formatVersion":3}',
    /format '3', this Assay reads format \d+$/,
  ],
  [
    'a deeply nested record',
    'deep.json',
    `{"replay":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    /nested more than 12 levels deep/,
  ],
];

test.each(REFUSALS)('refuses %s', async (_, file, content, message) => {
  if (content !== null) write(file, content);
  const name = /\/(manifest|reproduction)\.json$/.test(file) ? dirname(file) : file;
  const error = await read(name).catch((reason) => reason);
  expect(error).toBeInstanceOf(AssayError);
  expect(error.message).toMatch(message);
});

test('an interrupted run is refused with the command that resumes it', async () => {
  write('my run/manifest.json', '{}');
  await expect(read('my run')).rejects.toMatchObject({
    remedy: "resume it first: just compare --resume 'my run'",
  });
});
