import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { prepareCorpus } from '../../corpora/support/prepare.js';
import { PROJECT } from '../../harness/lib/project.js';
import { makeTestDirectory } from '../../harness/testing/support/directories.js';
import { describeToolchain } from '../../harness/testing/support/gates.js';
import { callAssay } from '../../harness/testing/support/project.js';
import { buildFamily } from '../../harness/variants/build-family.js';
import { digestFrames } from '../../harness/worker/frames.js';
import { composeVariant } from './compose.js';
import { runConformance } from './conformance.js';
import { operation as constructHref } from './operations/construct-href.js';
import { operation as construct } from './operations/construct.js';
import { operation as cross } from './operations/cross.js';
import { readHrefs } from './operations/support/urls.js';
import { worker } from './worker.js';

/** @import { PreparedCorpus } from '../../harness/formats/types.ts' */

const run = promisify(execFile);
const FAMILY = { name: 'url-bridge', path: fileURLToPath(new URL('.', import.meta.url)) };
const CORPORA = ['urls:100', 'urls-normal:100', 'urls-adversarial:300'];

await describeToolchain('url-bridge', 'the addon', () => {
  const leakyPath = makeTestDirectory('leaky');
  let buildPath = '';

  beforeAll(async () => {
    ({ buildPath } = await buildFamily(FAMILY, worker, { cachePath: PROJECT.cachePath }));
  });

  it('exports only the symbols of Node-API and imports no Ada', async () => {
    const symbols = await listDynamicSymbols(join(buildPath, 'url-bridge.node'));
    const own = symbols.filter((symbol) => !symbol.isUndefined).map(({ name }) => name);
    const others = symbols.filter((symbol) => symbol.isUndefined).map(({ name }) => name);
    expect(own).toEqual(['napi_register_module_v1', 'node_api_module_get_api_version_v1']);
    expect(others.filter((name) => /3ada/.test(name))).toEqual([]);
    expect(others).toContain('napi_create_string_latin1');
  });

  it('cannot be loaded if its calls would reach the Ada of Node', async () => {
    const file = join(leakyPath, 'leaky.node');
    await compileLeaky(buildPath, file);
    const load = run(process.execPath, ['-e', 'require(process.argv[1])', file]);
    await expect(load).rejects.toThrow("another Ada than the addon's own");
  });

  describe('as a variant', () => {
    const directory = makeTestDirectory('url-bridge');
    /** @type {PreparedCorpus[]} */
    const corpora = [];
    beforeAll(async () => {
      for (const label of CORPORA) corpora.push(await prepareCorpus(label, { directory }));
    });

    /** @param {string} name */
    const compose = async (name) =>
      composeVariant(await import(`./variants/${name}.js`), {}, { buildPath });

    /** @param {any} module  @returns {Promise<string[]>} of each operation on each corpus */
    async function digestOutputs(module) {
      const digests = [];
      for (const [name, operation] of Object.entries({ construct, constructHref })) {
        for (const corpus of corpora) {
          const state = await operation.prepare(module, corpus);
          digests.push(`${name} ${corpus.label} ${digestFrames(await operation.output(state))}`);
        }
      }
      return digests;
    }

    it.each(['object', 'array', 'callback', 'offsets', 'new-url'])(
      '%s has the parts and the behaviour of the URL of Node',
      async (name) => {
        const module = /** @type {any} */ (await compose(name));
        const reference = await composeVariant({ URL }, {}, { buildPath: null });
        expect(await digestOutputs(module)).toEqual(await digestOutputs(reference));
        const job = { spec: name, modulePath: '', parts: /** @type {const} */ ('all') };
        const { failures, contract } = await runConformance(module, job);
        expect(failures).toEqual([]);
        expect(contract.filter(({ outcome }) => outcome === 'fails')).toEqual([]);
      },
    );

    it('has the parts of whatwg-url in a worker, too', async () => {
      const corpus = ['--corpus', 'urls-adversarial:300'];
      const { status, stdout } = await callAssay(['check', 'url-bridge:object', ...corpus]);
      expect(stdout).toContain('url-bridge:object behaves like npm:whatwg-url@14.2.0');
      expect(status).toBe(0);
    });

    it.each(['href-only', 'parse-only', 'crossing-only'])(
      'the lower bound %s returns the length of every href',
      async (name) => {
        const [, corpus] = corpora;
        const frames = await cross.output(
          await cross.prepare(/** @type {any} */ (await compose(name)), corpus),
        );
        expect(frames.map((bytes) => Number(Buffer.from(bytes)))).toEqual(
          readHrefs(corpus).map(({ length }) => length),
        );
      },
    );
  });
});

/** @type {(file: string) => Promise<{ name: string, isUndefined: boolean }[]>} */
async function listDynamicSymbols(file) {
  const { stdout } = await run('nm', ['-D', '--format=posix', file]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', type] = line.split(' ');
      return { name, isUndefined: type === 'U' || type === 'w' };
    });
}

/**
 * Compiles the addon without the flags that keep its Ada private.
 * @param {string} buildPath with the packages
 * @param {string} file
 */
async function compileLeaky(buildPath, file) {
  const packagesPath = join(buildPath, 'packages', 'node_modules');
  const addonPath = join(FAMILY.path, 'addon');
  const units = readdirSync(addonPath).filter((name) => name.endsWith('.cpp'));
  await run('g++', [
    ...['-std=c++17', '-O0', '-DNAPI_VERSION=8', '-fPIC', '-shared', '-o', file],
    `-I${join(packagesPath, 'react-native-fast-url', 'cpp')}`,
    `-I${join(packagesPath, 'node-api-headers', 'include')}`,
    ...units.map((name) => join(addonPath, name)),
  ]);
}
