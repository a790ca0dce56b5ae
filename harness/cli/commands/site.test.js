import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { addRecord } from '../../studies/history/store.js';
import { hashOf, makeBranch } from '../../studies/follow/test-support/records.js';
import { makeTestDirectory, writeFiles } from '../../testing/support/directories.js';
import { callAssay } from '../../testing/support/project.js';

const folder = makeTestDirectory('site');
const branch = makeBranch();
const { acknowledgements } = branch;
// As runs of revisions are named.
const records = branch.records.map((record) => ({
  ...record,
  identity: { ...record.identity, runId: `${record.identity.runId}-vs-@${hashOf(1)}` },
}));
const [{ identity }] = records;

beforeAll(() => {
  for (const record of records) addRecord(join(folder, 'store'), record);
  writeFiles(folder, {
    'assay-changes.txt': acknowledgements,
    [`store/reports/${identity.runId}.html`]: 'a report',
  });
});

/** @param {string[]} options */
const run = (options) =>
  callAssay(['site', '--store', 'store', ...options], { workingPath: folder });

test('writes the pages of the branch, with the reports that are there', async () => {
  const { stdout, status } = await run(['--out', 'site', '--title', 'How fast']);
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'site/index.html\n' });
  const index = readFileSync(join(folder, 'site', 'index.html'), 'utf8');
  expect(index).toContain('<h1>How fast</h1>');
  expect(index).toContain('1 alert is open.');
  expect(existsSync(join(folder, 'site', 'merges', `${hashOf(9).slice(0, 12)}.html`))).toBe(true);
  expect(readdirSync(join(folder, 'site', 'reports'))).toEqual([`${identity.runId}.html`]);
});

test('a second build writes nothing, one after an answer only what it concerns', async () => {
  await run(['--out', 'again']);
  expect((await run(['--out', 'again'])).stderr).toContain(': 0 written, 0 removed');
  const file = join(folder, 'answers.txt');
  writeFileSync(file, `${acknowledgements}${hashOf(9)} * wontfix: nobody needs it\n`);
  await run(['--out', 'again', '--file', file]);
  const index = readFileSync(join(folder, 'again', 'index.html'), 'utf8');
  expect(index).toContain('No alert is open.');
});

test('a store of no followed branch is an error with its remedy', async () => {
  const { status, stderr } = await callAssay(['site', '--store', 'none'], { workingPath: folder });
  expect(status).toBe(2);
  expect(stderr).toContain('has no comparison of a followed branch');
});

test('the kept example has the pages of its records', async () => {
  const kept = resolve('reports/examples/site');
  const places = ['--store', join(kept, 'store'), '--reports', join(kept, 'reports')];
  expect((await run([...places, '--out', 'example'])).status).toBe(0);
  const listPages = (/** @type {string} */ path) =>
    readFileSync(join(path, 'assay-site.txt'), 'utf8').split('\n').toSorted();
  expect(listPages(join(folder, 'example'))).toEqual(listPages(kept));
});

test('a report whose run has a name that is no address is there and linked', async () => {
  const [point, merge] = records;
  const runId = 'run+1 of 10:15';
  const named = { ...merge, identity: { ...merge.identity, runId } };
  const store = join(folder, 'named');
  for (const record of [point, named]) addRecord(store, record);
  writeFiles(store, { [`reports/${runId}.html`]: 'a report' });
  const { status } = await callAssay(['site', '--store', 'named', '--out', 'site-of-named'], {
    workingPath: folder,
  });
  expect(status).toBe(0);
  const [name] = readdirSync(join(folder, 'site-of-named', 'reports'));
  expect(name).toMatch(/^[\w.-]+\.html$/);
  const page = join(folder, 'site-of-named', 'merges', `${hashOf(1).slice(0, 12)}.html`);
  expect(readFileSync(page, 'utf8')).toContain(`/reports/${name}"`);
});
