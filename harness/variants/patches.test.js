import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { FormatError } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { decodeFrames } from '../worker/frames.js';
import { writeFiles } from '../testing/support/directories.js';
import { findFamily, listFamilies, loadIdea, loadVariant } from './families.js';
import { resolveVariant } from './resolve.js';
import { parseVariantSpec } from './spec.js';

const HEAD = 'idea: louder\nsource: a test\nneighbour: plain\n';
const DIFF = `
--- a/lib/word.js
+++ b/lib/word.js
@@ -1,3 +1,3 @@
 export function word() {
-  return 'word';
+  return 'WORD';
 }
`;

const MARK_DIFF = `
--- /dev/null
+++ b/lib/mark.js
@@ -0,0 +1 @@
+export const MARK = '!';
--- a/variants/plain.js
+++ b/variants/plain.js
@@ -1,3 +1,4 @@
 import { word } from '../lib/word.js';
+import { MARK } from '../lib/mark.js';
 export const variant = { idea: 'a word', source: 'none', differs: ['shorter'], breaks: { a: 'b' } };
-export const say = () => word();
+export const say = () => word() + MARK;
`;

/** A family with axes, in the layout of the project. */
const FILES = {
  'package.json': '{ "name": "room", "type": "module" }',
  'experiments/words/family.js':
    "export const family = { name: 'words', summary: '', reference: 'plain', packages: [], defaultOperations: ['say'], defaultCorpora: ['flat'], axes: [{ name: 'times', summary: '' }] };",
  'experiments/words/compose.js': `import { word } from './lib/word.js';
export function composeVariant(module, { times }) {
  return { ...module, say: () => word().repeat(Number(times)) };
}
`,
  'experiments/words/lib/word.js': "export function word() {\n  return 'word';\n}\n",
  'experiments/words/operations/say.js': `export const operation = {
  prepare: (module) => module,
  run() {},
  output: (module) => [Buffer.from(module.say())],
};
`,
  'experiments/words/variants/plain.js': `import { word } from '../lib/word.js';
export const variant = { idea: 'a word', source: 'none', differs: ['shorter'], breaks: { a: 'b' } };
export const say = () => word();
`,
};

/** @type {string} */
let room;

beforeEach(() => {
  room = mkdtempSync(join(tmpdir(), 'assay-patches-'));
  writeFiles(room, FILES);
});

afterEach(() => rmSync(room, { recursive: true }));

/** @param {string} name below the room @param {string} text */
function write(name, text) {
  writeFiles(room, { [name]: text });
}

/** @param {string} name @param {string} text */
function writePatch(name, text) {
  write(`experiments/words/variants/${name}.patch`, text);
}

async function openFamily() {
  return findFamily(await listFamilies(join(room, 'experiments')), 'words');
}

/** @type {(name: string) => Promise<{ modulePath: string, patchedPath?: string, module: any }>} */
async function load(name) {
  return loadVariant(await openFamily(), name, { cachePath: join(room, 'cache') });
}

/** @param {string} text of a spec */
async function resolveSpec(text) {
  const family = await openFamily();
  return resolveVariant(parseVariantSpec(text), {
    families: [family],
    family,
    assayPath: room,
    cachePath: join(room, 'cache'),
    workingPath: room,
  });
}

describe('a patch', () => {
  test('is its neighbour with an edit', async () => {
    writePatch('loud', `${HEAD}differs: all letters\n are capitals\n${DIFF}`);
    const { module } = await load('loud');
    expect(module.say()).toBe('WORD');
    expect(module.variant).toEqual({
      idea: 'louder',
      source: 'a test',
      neighbour: 'plain',
      differs: ['shorter', 'all letters are capitals'],
      breaks: { a: 'b' },
    });
    expect((await load('plain')).module.say()).toBe('word');
  });

  test('adds files', async () => {
    const added = [
      '--- /dev/null\n+++ b/lib/deep/mark.js\n@@ -0,0 +1 @@\n+export const MARK = "!";',
      '--- a/lib/word.js\n+++ b/lib/word.js\n@@ -1,2 +1,3 @@',
      "+import { MARK } from './deep/mark.js';\n export function word() {",
      "-  return 'word';\n+  return 'word' + MARK;\n",
    ];
    writePatch('marked', `${HEAD}\n${added.join('\n')}`);
    expect((await load('marked')).module.say()).toBe('word!');
  });

  test('can be on top of another patch', async () => {
    const twice = DIFF.replace("'WORD'", "'WORD WORD'").replace("'word'", "'WORD'");
    writePatch('loud', HEAD + DIFF);
    writePatch('twice', HEAD.replace('plain', 'loud') + twice);
    const { module } = await load('twice');
    expect(module.say()).toBe('WORD WORD');
    expect(module.variant).toMatchObject({ neighbour: 'loud', differs: ['shorter'] });
  });

  test('can be made of other patches', async () => {
    writePatch('loud', `${HEAD}differs: loud\n${DIFF}`);
    writePatch('marked', `${HEAD}differs: marked\n${MARK_DIFF}`);
    writePatch('both', `${HEAD}with: loud, marked\n`);
    const { module } = await load('both');
    expect(module.say()).toBe('WORD!');
    expect(module.variant).toEqual({
      idea: 'louder',
      source: 'a test',
      neighbour: 'plain',
      differs: ['shorter', 'loud', 'marked'],
      breaks: { a: 'b' },
    });
  });

  test('applies its own diff after those of other patches', async () => {
    writePatch('loud', HEAD + DIFF);
    const own = DIFF.replace("'WORD'", "'WORD WORD'").replace("'word'", "'WORD'");
    writePatch('twice', `${HEAD}with: loud\ndiffers: twice\n${own}`);
    const { module } = await load('twice');
    expect(module.say()).toBe('WORD WORD');
    expect(module.variant).toMatchObject({ neighbour: 'plain', differs: ['shorter', 'twice'] });
    writePatch('loud', HEAD + DIFF.replace("'WORD'", "'LOUD'"));
    await expect(load('twice')).rejects.toThrow(/^variants\/twice\.patch of words does not apply/);
  });

  test('is listed without being applied', async () => {
    writePatch('loud', HEAD + DIFF);
    const family = await openFamily();
    expect(family.variants).toEqual(['loud', 'plain']);
    expect(await loadIdea(family, 'loud')).toBe('louder');
    expect(existsSync(join(room, 'cache'))).toBe(false);
  });

  test('is applied once, and again when the patch or a source changes', async () => {
    writePatch('loud', HEAD + DIFF);
    const first = await resolveSpec('loud');
    expect(await resolveSpec('loud')).toEqual(first);
    writePatch('loud', HEAD + DIFF.replace('WORD', 'LOUD'));
    const second = await resolveSpec('loud');
    write('experiments/words/lib/other.js', '');
    const third = await resolveSpec('loud');
    expect(new Set([first, second, third].map(({ modulePath }) => modulePath)).size).toBe(3);
    expect(readdirSync(join(room, 'cache', 'patched', 'words'))).toHaveLength(3);
  });

  test('is applied again for an edited patch that another one is on top of', async () => {
    writePatch('loud', HEAD + DIFF);
    const other = '--- /dev/null\n+++ b/lib/other.js\n@@ -0,0 +1 @@\n+export {};\n';
    writePatch('more', `${HEAD.replace('plain', 'loud')}\n${other}`);
    expect((await load('more')).module.say()).toBe('WORD');
    writePatch('loud', HEAD + DIFF.replace('WORD', 'LOUD'));
    expect((await load('more')).module.say()).toBe('LOUD');
  });

  test('is composed from patched code by a worker', async () => {
    writePatch('loud', HEAD + DIFF);
    const { patchedPath, modulePath, settings } = await resolveSpec('loud+times=3');
    const outputPath = join(room, 'output');
    const job = {
      formatVersion: FORMAT_VERSION,
      id: 'job',
      kind: 'output',
      family: 'words',
      familyPath: join(room, 'experiments/words'),
      variant: { spec: 'loud+times=3', modulePath, patchedPath, settings },
      operation: 'say',
      corpus: {},
      outputPath,
    };
    const input = JSON.stringify(job);
    const { status } = spawnSync(process.execPath, [PROJECT.workerPath], { input });
    expect(status).toBe(0);
    expect(decodeFrames(readFileSync(outputPath)).map(({ bytes }) => String(bytes))).toEqual([
      'WORDWORDWORD',
    ]);
  });
});

describe('an invalid patch is refused:', () => {
  /** @type {[string, string, RegExp][]} */
  const INVALID = [
    [
      'a hunk that does not match',
      HEAD + DIFF.replace("'word'", "'ward'"),
      /its hunk at line 1 does not/,
    ],
    [
      'the second hunk',
      `${HEAD}${DIFF}@@ -8,1 +8,2 @@\n export {};\n+export {};\n`,
      /^variants\/bad\.patch of words does not apply to 'lib\/word\.js': its hunk at line 8 does not match$/,
    ],
    ['no idea', HEAD.replace('idea: louder\n', '') + DIFF, /has no 'idea'/],
    ['an unknown field', `${HEAD}ideas: more\n${DIFF}`, /has an invalid line: 'ideas: more'/],
    ['a repeated field', `${HEAD}idea: more\n${DIFF}`, /has an invalid line: 'idea: more'/],
    ['an unknown neighbour', HEAD.replace('plain', 'plan') + DIFF, /'plan'; did you mean 'plain'/],
    ['itself as neighbour', HEAD.replace('plain', 'bad') + DIFF, /form a cycle: bad → bad/],
    ['no diff', HEAD, /has no diff/],
    ['an unknown part', `${HEAD}with: bat\n`, /no patch 'bat'; did you mean 'bad'/],
    ['a diff without hunks', `${HEAD}--- a/lib/word.js\n+++ b/lib/word.js\n`, /changes nothing/],
    [
      'a mistyped hunk beside a valid one',
      `${HEAD}${DIFF}@ -8,1 +8,2 @@\n export {};\n+export {};\n`,
      /changed lines outside of its hunks/,
    ],
    [
      'wrong line counts',
      HEAD + DIFF.replace('1,3 +1,3', '1,4 +1,4'),
      /^the diff of .* is invalid/,
    ],
    [
      'an unknown file',
      HEAD + DIFF.replaceAll('word.js', 'ward.js'),
      /'lib\/ward\.js' does not exist/,
    ],
    ['a removed file', HEAD + DIFF.replace('b/lib/word.js', '/dev/null'), /is removed or renamed/],
    ['an existing file', HEAD + DIFF.replace('a/lib/word.js', '/dev/null'), /exists already/],
    [
      'a file of the harness',
      `${HEAD}\n--- a/family.js\n+++ b/family.js\n@@ -1 +1,2 @@\n+x\n y\n`,
      /'family\.js' is shared by all variants/,
    ],
    [
      'a hunk without context',
      `${HEAD}\n--- a/lib/word.js\n+++ b/lib/word.js\n@@ -1,0 +2 @@\n+x\n`,
      /'lib\/word\.js' has a hunk without context/,
    ],
    [
      'a file outside the family',
      `${HEAD}\n--- /dev/null\n+++ b/../x.js\n@@ -0,0 +1 @@\n+x\n`,
      /'\.\.\/x\.js' is not a JavaScript file of the family/,
    ],
  ];

  test.each(INVALID)('%s', async (_name, text, message) => {
    writePatch('bad', text);
    const refusal = load('bad');
    await expect(refusal).rejects.toThrow(FormatError);
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.toMatchObject({ remedy: expect.stringMatching(/\w/) });
    expect(readdirSync(room)).not.toContain('x.js');
  });

  test('a cycle of two', async () => {
    writePatch('one', HEAD.replace('plain', 'two') + DIFF);
    writePatch('two', HEAD.replace('plain', 'one') + DIFF);
    await expect(load('one')).rejects.toThrow('form a cycle: one → two → one');
  });

  test('of two parts that change the same lines', async () => {
    for (const name of ['one', 'two']) writePatch(name, HEAD + DIFF);
    writePatch('both', `${HEAD}with: one, two\n`);
    await expect(load('both')).rejects.toThrow(
      "variants/two.patch of words (a part of 'both') does not apply to 'lib/word.js'",
    );
  });

  test('a part with parts', async () => {
    writePatch('loud', HEAD + DIFF);
    writePatch('one', `${HEAD}with: loud\n`);
    writePatch('two', `${HEAD}with: one\n`);
    await expect(load('two')).rejects.toThrow("'one' has a 'with' itself");
  });

  test('the name of a module', async () => {
    writePatch('plain', HEAD + DIFF);
    await expect(openFamily()).rejects.toThrow("has both 'plain.js' and 'plain.patch'");
  });
});
