import * as bson from 'bson';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { PROJECT } from '../../harness/lib/project.js';
import { makeTestDirectory } from '../../harness/testing/support/directories.js';
import { testLong } from '../../harness/testing/support/gates.js';

const SCRIPT = join(PROJECT.assayPath, 'scripts', 'champion', 'build.js');
const BYTES = new Uint8Array([1, 2, 3]);
const directory = makeTestDirectory('build-champion');

/** @type {(...words: string[]) => ReturnType<typeof spawnSync>} */
function run(...words) {
  return spawnSync(process.execPath, [SCRIPT, ...words], { encoding: 'utf8' });
}

test('the script needs a directory', () => {
  const { status, stderr } = run();
  expect(status).toBe(2);
  expect(stderr).toContain('usage: node scripts/champion/build.js DIRECTORY');
});

testLong(
  'the built package is the champion in one file for each kind of module',
  async () => {
    const home = join(directory, 'project', 'node_modules', 'bson');
    mkdirSync(home, { recursive: true });
    expect(run(home)).toMatchObject({ status: 0, stdout: '', stderr: '' });

    const find = createRequire(join(directory, 'project', 'main.js'));
    const required = find('bson');
    const imported = await import(pathToFileURL(join(home, 'bson.mjs')).href);
    const { exports } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    expect(find.resolve('bson')).toBe(join(home, exports.default));
    expect(join(home, exports.import)).toBe(join(home, 'bson.mjs'));
    expect(readFileSync(join(home, exports.types), 'utf8')).toContain('export declare class Long');
    const text = readFileSync(join(home, 'bson.mjs'), 'utf8');
    expect(text).not.toMatch(/^import /m);

    const names = Object.keys(bson).sort();
    for (const codec of [required, imported]) {
      expect(Object.keys(codec).sort()).toEqual(names);
      const { ObjectId, Long, deserialize, serialize, EJSON, BSON } = codec;
      expect(BSON.serialize).toBe(serialize);
      expect([ObjectId.name, Long.name]).toEqual(['ObjectId', 'Long']);
      const document = { id: new ObjectId(), long: Long.MAX_VALUE, list: [1, 'é', null, 0.5] };
      const bytes = serialize(document);
      expect(Buffer.compare(bytes, bson.serialize(document))).toBe(0);
      expect(deserialize(bytes, { promoteLongs: false })).toEqual(document);
      expect(EJSON.parse(EJSON.stringify(document)).id).toBeInstanceOf(ObjectId);
    }

    const { browser } = exports;
    expect(readFileSync(join(home, browser.import), 'utf8')).not.toMatch(/^import /m);
    const web = createContext({ exports: {}, TextEncoder, TextDecoder, Uint8Array });
    runInContext(readFileSync(join(home, browser.default), 'utf8'), web);
    const written = web.exports.serialize({ text: 'é', list: [1, 0.5], in: { bytes: BYTES } });
    expect(written).toEqual(
      new Uint8Array(bson.serialize({ text: 'é', list: [1, 0.5], in: { bytes: BYTES } })),
    );
    const read = web.exports.deserialize(written, { promoteBuffers: true });
    expect(read.text).toBe('é');
    expect(Object.getPrototypeOf(read.in.bytes)).toBe(Uint8Array.prototype);
  },
  300_000,
);
