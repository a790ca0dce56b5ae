/**
 * The workflow that follows a branch, step by step: ten commits of a package in a workspace, in six pushes, with a
 * regression, the line that answers it, and its repair; then the night.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { useFakeGh } from '../harness/cli/pull-requests/test-support/fake-gh.js';
import { PROJECT } from '../harness/lib/project.js';
import { makeTestDirectory } from '../harness/testing/support/directories.js';
import { testLong } from '../harness/testing/support/gates.js';
import { makeRepository } from '../harness/variants/test-support/make-repository.js';
import { QUIET, readJobs, runSteps } from './test-support/run-workflow.js';

/** @import { Following } from '../harness/formats/types.ts' */

const directory = makeTestDirectory('follow-workflow');
const TEMPLATE = join(PROJECT.projectPath, 'harness', 'cli', 'new-family');
const MEMBER = 'packages/codec';
const TINY =
  'settings: { warmUpMs: 4, warmUpCalls: 20, maxWarmUpMs: 20, batchCount: 3, batchMs: 1 },';

/** Per cent, far above what another process or another hour changes, so that nothing here depends on the machine. */
const MINIMUM_EFFECT = '100';
/** How much slower the regression is. */
const TIMES = 12;
const INPUTS = {
  'inputs.assay-repository': 'owner/assay',
  'inputs.assay-ref': 'main',
  'inputs.directory': MEMBER,
  'inputs.install': '',
  'inputs.build': '',
  'inputs.reference': '',
  'inputs.budget': '600s',
  'inputs.arguments': `--op encode --mei ${MINIMUM_EFFECT} --processes 16 --seed 1`,
  'inputs.results-branch': 'assay-results',
  'inputs.node-version': '22',
  'github.ref_name': 'main',
  'github.server_url': directory,
  'github.repository': 'owner/name',
  'github.token': 'none',
};

/** Does its work as often as the number says. @type {(times: number, comment?: string) => string} */
const writeSource = (times, comment = 'a codec') => `// ${comment}
export function encode(value) {
  let text = '';
  for (let i = 0; i < ${times}; i++) text = JSON.stringify(value);
  return text;
}
export const decode = (text) => JSON.parse(text);
`;

/** @returns a repository with a codec in a workspace and its family, at the tag v1.0.0 */
function makeCodecRepository() {
  const repository = makeRepository(join(directory, 'owner', 'name'));
  const family = join(MEMBER, 'assay', 'my-codec');
  cpSync(TEMPLATE, join(repository.path, family), { recursive: true });
  const description = readFileSync(join(repository.path, family, 'family.js'), 'utf8');
  const codec = { name: 'text-codec', version: '1.0.0', type: 'module', exports: './index.js' };
  repository.write({
    '.gitignore': 'node_modules\n.assay\n',
    'package.json': JSON.stringify({ private: true, workspaces: ['packages/*'] }),
    [join(MEMBER, 'package.json')]: JSON.stringify(codec),
    [join(MEMBER, 'index.js')]: writeSource(1),
    [join(family, 'package.json')]: '{ "type": "module" }',
    [join(family, 'family.js')]: description
      .replace('packages: []', "packages: ['text-codec']")
      .replace("name: 'my-codec',", `name: 'my-codec', ${TINY}`),
  });
  const lock = 'npm install --package-lock-only --ignore-scripts --offline --no-audit';
  execFileSync('sh', ['-c', lock], { cwd: repository.path, stdio: 'pipe' });
  repository.commit({}, 'a codec');
  repository.git('tag', 'v1.0.0');
  return repository;
}

testLong('ten commits: results, alert, answer, repair and site', async () => {
  const repository = makeCodecRepository();
  const { measure, publish } = readJobs('follow');
  const gh = useFakeGh(join(directory, 'gh'), { issues: [] });
  const environment = { ...QUIET, ...gh.environment };
  let pushes = 0;

  /** Runs the workflow as a push does, or the schedule. @param {string} [nightly] */
  async function push(nightly = '') {
    const path = join(directory, `push-${(pushes += 1)}`);
    const room = { path, repository: repository.path, environment };
    const values = { ...INPUTS, "inputs.nightly && 'yes' || ''": nightly };
    await runSteps(measure.steps, 'measure', values, room);
    const { summary } = await runSteps(publish.steps, 'publish', INPUTS, room);
    /** @type {Following} */
    const following = JSON.parse(readFileSync(join(path, 'publish', 'following.json'), 'utf8'));
    const site = join(path, 'artifacts', 'github-pages');
    const pages = readdirSync(site, { recursive: true }).map(String);
    const overview = readFileSync(join(site, 'index.html'), 'utf8');
    return { summary, following, pages, overview };
  }

  /** @type {(times: number, subject: string) => string} commits the codec  */
  const commitCodec = (times, subject) =>
    repository.commit({ [join(MEMBER, 'index.js')]: writeSource(times, subject) }, subject);
  const commitText = (/** @type {string} */ subject) =>
    repository.commit({ 'README.md': subject }, subject);
  const listResults = () =>
    repository.git('ls-tree', '-r', '--name-only', 'assay-results').split('\n');

  // The first commit: there is nothing to compare it with but the reference.
  const first = await push();
  expect(first.following.changes).toEqual([]);
  expect(listResults()).toEqual([expect.stringMatching(/^store\/[0-9a-f]{64}\.json$/)]);

  commitText('more words');
  commitCodec(1, 'other words in the code');
  const same = await push();
  expect(same.following.changes).toEqual([]);
  expect(gh.readIssues()).toEqual([]);

  // One of three commits makes it slower: measured at once, confirmed, and searched for.
  commitText('words about it');
  const slower = commitCodec(TIMES, 'twelve times as often');
  commitCodec(TIMES, 'nothing more');
  const alert = await push();
  expect(alert.following.changes).toMatchObject([
    { direction: 'slower', state: 'open', after: slower, commits: 1 },
  ]);
  const [raised] = gh.readIssues();
  expect(raised).toMatchObject({ state: 'OPEN' });
  expect(raised.title).toContain(slower.slice(0, 12));
  expect(raised.body).toContain('twelve times as often');
  expect(alert.summary).toContain(slower.slice(0, 12));
  expect(alert.overview).toContain(slower.slice(0, 12));
  expect(listResults().filter((name) => name.startsWith('reports/'))).not.toEqual([]);

  const line = `${slower.slice(0, 12)} * expected: it is safer\n`;
  repository.commit({ [join(MEMBER, 'assay-changes.txt')]: line }, 'the answer');
  const answered = await push();
  expect(answered.following.changes).toMatchObject([
    { state: 'acknowledged', acknowledged: { answer: 'expected', reason: 'it is safer' } },
  ]);
  expect(gh.readIssues()).toMatchObject([{ state: 'CLOSED', comments: [/expected/] }]);

  repository.commit({ [join(MEMBER, 'assay-changes.txt')]: '' }, 'no answer');
  await push();
  expect(gh.readIssues()).toMatchObject([{ state: 'OPEN' }]);

  const repaired = commitCodec(1, 'once again');
  commitText('words at the end');
  const restored = await push();
  expect(restored.following.changes).toMatchObject([
    { after: slower, state: 'restored', restoredBy: repaired },
    { after: repaired, direction: 'faster' },
  ]);
  const [closed] = gh.readIssues();
  expect(closed.state).toBe('CLOSED');
  expect(closed.comments?.at(-1)).toContain(repaired);
  expect(restored.following.commits).toHaveLength(10);
  expect(restored.pages.some((name) => name.startsWith('reports/'))).toBe(true);

  // At night nothing is left to measure, and nobody hears of anything twice.
  const results = listResults();
  expect((await push('yes')).following).toEqual(restored.following);
  expect(listResults()).toEqual(results);
  expect(gh.readIssues()).toEqual([closed]);
});
