import { join } from 'node:path';
import { makeRepository } from '../../variants/test-support/make-repository.js';
import { makeTestDirectory } from '../../testing/support/directories.js';
import { listPoints, pinEnds } from './points.js';

const directory = makeTestDirectory('points');
/** @type {string[]} */
let commits;

beforeAll(() => {
  const printed = makeRepository(join(directory, 'codec')).run(`
    commit() {
      echo "$1" >"$2"
      git add "$2"
      git commit --quiet --message "$1"
    }
    for name in one two three; do
      commit $name a.txt
      git rev-parse HEAD
    done
    git tag v1 HEAD~2
    git tag --annotate --message two v2 HEAD~1
    git switch --quiet --create topic
    commit 'on a branch' b.txt
    git switch --quiet main
    git merge --quiet --no-ff --message merge topic
    git rev-parse HEAD
    for name in five six; do
      commit $name a.txt
      git rev-parse HEAD
    done`);
  commits = printed.split('\n');
});

describe('commits', () => {
  /** @param {import('./points.js').PointOptions} options */
  const list = async (options) => {
    const points = await listPoints(['git:codec'], options, directory);
    return points.map(({ spec, name }) => ({
      name,
      at: commits.findIndex((commit) => commit.startsWith(spec.slice('git:codec@'.length))),
    }));
  };
  const placesOf = async (/** @type {import('./points.js').PointOptions} */ options) =>
    (await list(options)).map(({ at }) => at);

  test('are those along first parents, to HEAD', async () => {
    expect(await placesOf({ from: 'v1' })).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await placesOf({ from: 'v2', to: 'HEAD~1' })).toEqual([1, 2, 3, 4]);
  });

  test('may be every n-th, merges or tags, always with both ends', async () => {
    expect(await placesOf({ from: 'v1', every: '2' })).toEqual([0, 2, 4, 5]);
    expect(await placesOf({ from: 'v1', every: 'merge' })).toEqual([0, 3, 5]);
    expect(await list({ from: 'v1', every: 'tag' })).toEqual([
      { name: 'v1', at: 0 },
      { name: 'v2', at: 1 },
      { name: commits[5].slice(0, 12), at: 5 },
    ]);
  });

  test('are the same again from and to the ends that a command repeats', async () => {
    const relative = { from: 'main~4', every: '2' };
    const points = await listPoints(['git:codec'], relative, directory);
    const pinned = pinEnds(points);
    expect(pinned).toEqual({ from: commits[1].slice(0, 12), to: commits[5].slice(0, 12) });
    expect(await listPoints(['git:codec'], { ...relative, ...pinned }, directory)).toEqual(points);
  });

  test('are refused by another step', async () => {
    await expect(list({ from: 'v1', every: 'week' })).rejects.toThrow(
      "--every 'week' is not known",
    );
  });
});

describe('values of an axis', () => {
  test('are pins or settings', async () => {
    expect(await listPoints(['npm:bson@7.3.1'], { over: 'node=20,22' }, directory)).toEqual([
      { spec: 'npm:bson@7.3.1@node=20', name: '20' },
      { spec: 'npm:bson@7.3.1@node=22', name: '22' },
    ]);
    expect(
      await listPoints(['linked-list'], { over: 'object-id=buffer,packed' }, directory),
    ).toEqual([
      { spec: 'linked-list+object-id=buffer', name: 'buffer' },
      { spec: 'linked-list+object-id=packed', name: 'packed' },
    ]);
  });

  test('over runtimes are pins', async () => {
    const over = 'runtime=node@24,bun@1.4';
    expect(await listPoints(['npm:bson@7.3.1'], { over }, directory)).toEqual([
      { spec: 'npm:bson@7.3.1@node=24', name: 'node@24' },
      { spec: 'npm:bson@7.3.1@bun=1.4', name: 'bun@1.4' },
    ]);
  });

  test.each(['node=x,22', 'node', 'node=20', 'runtime=bun,node@24', 'runtime=bnu@1,node@24'])(
    'are refused where they are %s',
    async (over) => {
      await expect(listPoints(['npm:bson@7.3.1'], { over }, directory)).rejects.toMatchObject({
        exitStatus: 2,
      });
    },
  );
});

describe('variants', () => {
  test('are points in the order in which they are named', async () => {
    const specs = ['recursive', 'npm:bson@7.3.1', 'linked-list+object-id=packed'];
    expect(await listPoints(specs, {}, directory)).toEqual(
      specs.map((spec) => ({ spec, name: spec })),
    );
  });

  test('are refused where one is named twice, or with options of versions', async () => {
    const refused = { exitStatus: 2 };
    await expect(listPoints(['a', 'b', 'a'], {}, directory)).rejects.toMatchObject(refused);
    await expect(listPoints(['a', 'b'], { from: '1.0.0' }, directory)).rejects.toThrow(
      '--from cannot be used with several variants',
    );
  });
});
