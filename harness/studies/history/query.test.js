import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../lib/project.js';
import { makeVerdict, makeCell } from '../../../reports/fixtures/build.js';
import { recordedRun } from '../../../reports/fixtures/runs.js';
import { queryRecords } from './query.js';
import { addRecord, makeRecord } from './store.js';

const directory = mkdtempSync(join(tmpdir(), 'assay-query-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('a missing DuckDB is named with the command that installs it', async () => {
  const toolsPath = join(directory, 'no tools');
  await expect(queryRecords('SELECT 1', directory, { toolsPath })).rejects.toMatchObject({
    message: '--sql needs DuckDB, which is not installed',
    remedy: expect.stringMatching(/^install it with: npm install --prefix '.*no tools\/duckdb' /),
    exitStatus: 4,
  });
});

// With DuckDB installed as the message says.
const isInstalled = existsSync(join(PROJECT.toolsPath, 'duckdb'));
(isInstalled ? describe : describe.skip)('a query', () => {
  const cell = makeCell({
    operation: 'serialize',
    corpus: 'flat',
    verdict: 'faster',
    ratio: [0.8, 0.9, 0.95],
  });
  const run = recordedRun('faster');
  const manifest = {
    ...run.manifest,
    question: { ...run.manifest.question, cells: [cell.cell] },
  };
  const record = {
    ...makeRecord({ manifest, observations: [], verdict: makeVerdict([cell]) }),
    processes: [
      {
        cellId: 'serialize flat',
        arm: /** @type {const} */ ('candidate'),
        variant: 'linked-list',
        figuresNs: [1, 2, 4],
      },
    ],
  };
  const store = join(directory, 'store');
  addRecord(store, record);
  // Recorded before it was resumed.
  addRecord(store, { ...record, ended: 'budget', seconds: record.seconds / 2 });
  const ask = (/** @type {string} */ sql) => queryRecords(sql, store, PROJECT);

  test.each([
    ['SELECT family, ended FROM comparisons', [['js-bson', 'complete']]],
    ['SELECT candidate, corpus, ratio, low FROM cells', [['linked-list', 'flat', 0.9, 0.8]]],
    [
      'SELECT variant, count(*), avg(ns) FROM observations GROUP BY variant',
      [['linked-list', 3, 7 / 3]],
    ],
    ["SELECT count(*) FROM cells WHERE created > '2020-01-01'", [[1]]],
  ])('%s', async (sql, rows) => {
    expect((await ask(sql)).rows).toEqual(rows);
  });

  test('that is wrong is refused with the words of DuckDB', async () => {
    await expect(ask('SELECT nothing FROM cells')).rejects.toMatchObject({
      message: expect.stringContaining('"nothing" not found'),
      exitStatus: 2,
    });
  });
});
