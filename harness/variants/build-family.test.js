import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fakePrograms } from '../profiling/recorders/test-support/fake-programs.js';
import { MissingToolError, buildFamily, loadFamilyWorker, setUpFamily } from './build-family.js';

/** @import { FamilyWorker } from '../formats/types.ts' */

const MAKER = { name: 'maker', leastVersion: '20', versionArgs: ['version'], install: 'maker 20' };
/** A tool that starts at once. */
const fakes = fakePrograms({
  maker: `case $1 in
    version) echo maker 20.3.1 ;;
    wait) sleep 60 ;;
    fail) echo 'error: no such header' >&2; exit 3 ;;
  esac`,
});
const { PATH } = process.env;
process.env.PATH = `${fakes.path}${delimiter}${PATH}`;
afterAll(() => {
  process.env.PATH = PATH;
  fakes.remove();
});

let path = '';
let cachePath = '';
let builds = 0;

/** @type {FamilyWorker} */
const worker = {
  toolchain: [MAKER],
  sources: ['program'],
  async build({ familyPath, outputPath, run }) {
    builds++;
    const source = readFileSync(join(familyPath, 'program', 'main.txt'), 'utf8');
    const version = await run('maker', ['version']);
    writeFileSync(join(outputPath, 'built.txt'), `${source} by ${version}`);
  },
};

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'assay-family-'));
  cachePath = join(path, 'cache');
  builds = 0;
  mkdirSync(join(path, 'program'));
  writeFileSync(join(path, 'program', 'main.txt'), 'one');
  writeFileSync(join(path, 'worker.js'), '// The build is in this file.');
});

afterEach(() => rmSync(path, { recursive: true }));

/** @param {Partial<FamilyWorker>} [changes] */
function build(changes) {
  return buildFamily({ name: 'made-up', path }, { ...worker, ...changes }, { cachePath });
}

describe('a family', () => {
  test('is built once from the same sources', async () => {
    const first = await build();
    const second = await build();
    expect(second).toEqual(first);
    expect(builds).toBe(1);
    expect(first.toolchain).toEqual({ maker: '20.3.1' });
    const built = readFileSync(join(first.buildPath, 'built.txt'), 'utf8');
    expect(built).toBe('one by maker 20.3.1\n');
  });

  test.each([
    ['program/main.txt', true],
    ['worker.js', true],
    ['family.js', false],
  ])('after a change of %s is built again: %s', async (file, isRebuilt) => {
    const first = await build();
    writeFileSync(join(path, file), '// changed');
    const second = await build();
    expect(second.buildPath !== first.buildPath).toBe(isRebuilt);
    expect(builds).toBe(isRebuilt ? 2 : 1);
  });

  test.each([
    ['wait', 100, 'maker timed out after 0.1 s', []],
    ['fail', 100_000, 'maker ended with exit status 3', ['error: no such header']],
  ])('whose build has to %s leaves nothing behind', async (word, timeoutMs, message, quoted) => {
    const failing = build({
      async build({ run }) {
        await run('maker', [word], { timeoutMs });
      },
    });
    await expect(failing).rejects.toMatchObject({ message, quoted });
    expect(readdirSync(join(cachePath, 'made-up'))).toEqual([]);
  });

  test('is refused with all missing and outdated tools', async () => {
    const toolchain = [
      { ...MAKER, leastVersion: '999' },
      { name: 'no-such-compiler', leastVersion: '1.2', versionArgs: ['-v'], install: 'get one' },
    ];
    const failing = build({ toolchain });
    await expect(failing).rejects.toThrow(MissingToolError);
    await expect(failing).rejects.toMatchObject({
      message:
        'made-up cannot run here: needs maker ≥ 999 (found 20.3.1) and no-such-compiler ≥ 1.2 (not found)',
      remedy: 'maker 20; get one',
    });
    expect(builds).toBe(0);
  });

  test('without a worker.js has no worker', async () => {
    rmSync(join(path, 'worker.js'));
    expect(await loadFamilyWorker({ path })).toBeNull();
  });
});

describe('setup', () => {
  /**
   * @param {string} name
   * @param {{ leastVersion?: string, build?: string }} [own] `build`: body of the function; without
   *   both, the family has no worker
   */
  function makeFamily(name, own) {
    const family = { name, path: join(path, name) };
    mkdirSync(family.path);
    if (own === undefined) return family;
    const { leastVersion = '20', build: body = '' } = own;
    const code = `export const worker = {
      toolchain: [${JSON.stringify({ ...MAKER, leastVersion })}],
      sources: [],
      async build({ outputPath, run }) { ${body} },
    };`;
    writeFileSync(join(family.path, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(family.path, 'worker.js'), code);
    return family;
  }

  test('reports a family without a build as ready', async () => {
    const setUp = await setUpFamily(makeFamily('plain'), { cachePath });
    expect(setUp).toEqual({ name: 'plain', outcome: 'ready', toolchain: {}, buildMs: null });
  });

  test('reports a built family as ready, with the time of its build if it was built now', async () => {
    const family = makeFamily('built', { build: "await run('maker', ['version']);" });
    /** @type {string[]} */
    const notes = [];
    const places = { cachePath, onNote: (/** @type {string} */ text) => notes.push(text) };
    const first = await setUpFamily(family, places);
    expect(first).toEqual({
      name: 'built',
      outcome: 'ready',
      toolchain: { maker: '20.3.1' },
      buildMs: expect.any(Number),
    });
    expect(await setUpFamily(family, places)).toEqual({ ...first, buildMs: null });
    expect(notes).toHaveLength(1);
  });

  test('reports an outdated tool', async () => {
    const setUp = await setUpFamily(makeFamily('ahead', { leastVersion: '999' }), { cachePath });
    expect(setUp).toMatchObject({
      outcome: 'missing',
      missing: [{ tool: { name: 'maker' }, found: '20.3.1' }],
    });
  });

  test('reports a failed build, also when repeated', async () => {
    const family = makeFamily('broken', { build: "await run('maker', ['fail']);" });
    const failed = { outcome: 'failed', message: expect.stringContaining('no such header') };
    expect(await setUpFamily(family, { cachePath })).toMatchObject(failed);
    expect(await setUpFamily(family, { cachePath })).toMatchObject(failed);
  });

  test('rethrows a defect of the worker, and an interrupt', async () => {
    const defect = makeFamily('defect', { build: 'undefined.length' });
    await expect(setUpFamily(defect, { cachePath })).rejects.toThrow(TypeError);
    const family = makeFamily('interrupted', { build: "await run('maker', ['version']);" });
    const signal = AbortSignal.abort();
    await expect(setUpFamily(family, { cachePath, signal })).rejects.toThrow();
  });
});
