/** The package that `npm pack` makes, and the manual for its users, from outside of the repository. */

import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname, join, normalize } from 'node:path';
import { EXIT } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { describeLong, isLong, testLong } from './support/gates.js';
import { installLinked, pack, runInstalled } from './support/packed.js';
import { makeTestDirectory, writeFiles } from './support/directories.js';

/** @import { Packed } from './support/packed.js' */

const directory = makeTestDirectory('package');

/** @type {Packed} */
let packed;
const projectPath = join(directory, 'project');
const assayPath = join(projectPath, 'node_modules', 'assay');
beforeAll(async () => {
  packed = await pack(directory);
  await (isLong ? installByNpm : installLinked)(packed, projectPath);
});

const MAX_BYTES = 3_000_000;

describe('the package', () => {
  test('is small, and has neither tests nor examples', () => {
    expect(packed.size).toBeLessThan(MAX_BYTES);
    const unwanted = packed.names.filter((name) =>
      /\.test\.js$|(^|\/)(test-support|testing|fixtures|examples|golden|runs)\//.test(name),
    );
    expect(unwanted).toEqual([]);
  });

  test('has what a user needs', () => {
    expect(packed.names).toEqual(
      expect.arrayContaining([
        ...['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'],
        ...['harness/assay.js', 'harness/worker/worker.js', 'harness/formats/schemas.json'],
        ...['harness/cli/new-family/family.js', 'docs/your-own-codec.md'],
        ...['reports/page/report.css', 'experiments/js-bson/claims.json', 'corpora/mflix/users.js'],
      ]),
    );
  });

  test('has every file that a file of it imports', () => {
    const programs = packed.names.filter((name) => name.endsWith('.js'));
    const missing = programs.flatMap((name) =>
      listImports(readFileSync(join(assayPath, name), 'utf8'))
        .map((specifier) => normalize(join(dirname(name), specifier)))
        .filter((imported) => !packed.names.includes(imported))
        .map((imported) => `${name}: ${imported}`),
    );
    expect(programs.length).toBeGreaterThan(300);
    expect(missing).toEqual([]);
  });

  test('depends on exact versions', () => {
    const { dependencies } = JSON.parse(readFileSync(join(assayPath, 'package.json'), 'utf8'));
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });
});

/** @type {(text: string) => string[]} relative specifiers; comments have types, which nobody loads */
function listImports(text) {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const matches = code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^'$]+\.js)'/g);
  return [...matches].map(([, specifier]) => specifier);
}

/**
 * Installs the package as a newcomer would, into an empty directory.
 *
 * @param {Packed} archive
 * @param {string} path
 */
async function installByNpm({ file }, path) {
  mkdirSync(path);
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  execFileSync('npm', ['install', '--save-dev', ...flags, file], { cwd: path });
}

/** @param {string[]} args */
const assay = (...args) => runInstalled(args, projectPath);

/** Makes the family of the project, with jobs that are shorter than any result could be based on. */
async function makeFamily() {
  if (!existsSync(join(projectPath, 'assay/my-codec'))) await assay('init', 'my-codec');
  const file = join(projectPath, 'assay/my-codec/family.js');
  const text = readFileSync(file, 'utf8');
  if (!text.includes(TINY))
    writeFileSync(file, text.replace("name: 'my-codec',", `name: 'my-codec', ${TINY}`));
}

/** @param {string} path  @returns {string[]} */
function listFiles(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort();
}

const TINY =
  'settings: { warmUpMs: 4, warmUpCalls: 20, maxWarmUpMs: 20, batchCount: 3, batchMs: 1 },';
const BRIEF = '--budget 1 --explain none --placements 0 --schedule sequential'.split(' ');

describe('in an empty project', () => {
  test('init writes a family, and says what to do next', async () => {
    const { status, stdout, stderr } = await assay('init', 'my-codec');
    expect({ status, stderr }).toEqual({ status: EXIT.done, stderr: '' });
    expect(stdout).toBe(
      [
        'assay/my-codec: a family with the variants a, b and json',
        'Compare two of them: npx assay compare a b',
        'Then replace the codec with your own, starting with assay/my-codec/family.js',
        '',
      ].join('\n'),
    );
    expect(listFiles(join(projectPath, 'assay'))).toEqual([
      'my-codec/codec.js',
      'my-codec/conformance.js',
      'my-codec/corpora/my-codec-orders.jsonl',
      'my-codec/family.js',
      'my-codec/operations/decode.js',
      'my-codec/operations/encode.js',
      'my-codec/operations/support/explain-difference.js',
      'my-codec/package.json',
      'my-codec/variants/a.js',
      'my-codec/variants/b.js',
      'my-codec/variants/json.js',
    ]);
    expect(readFileSync(join(projectPath, '.assay/.gitignore'), 'utf8')).toContain('\n*\n');
  });

  testLong('the family is listed, from any directory of the project', async () => {
    await makeFamily();
    const workingPath = join(projectPath, 'assay', 'my-codec');
    const listed = await runInstalled(['variants', 'my-codec'], projectPath, { workingPath });
    expect(listed.stdout).toMatch(/^ b +strings without escapes/m);
    expect(listed.status).toBe(EXIT.done);
  });

  testLong('help names the command as it is typed', async () => {
    expect((await assay('--help')).stdout).toMatch(/^Usage: npx assay COMMAND/);
  });

  testLong('mistakes name the command as it is typed', async () => {
    await makeFamily();
    const { status, stderr } = await assay('compare', 'a', 'c');
    expect(stderr).toContain("error: no variant 'c'");
    expect(stderr).toContain("'npx assay variants' lists all");
    expect(status).toBe(EXIT.usage);
  });
});

describeLong('the family of init', () => {
  beforeAll(makeFamily);

  test('a comparison leaves its report in the project, and nothing in the package', async () => {
    const before = listFiles(assayPath);
    const [, , ...brief] = BRIEF;
    // A budget of a second has no room for profiles.
    const limits = ['--processes', '16', ...brief, '--seed', '7'];
    const words = ['compare', 'a', 'b', '--op', 'decode', ...limits, '--with', 'cpu-profile'];
    const compared = await runInstalled(words, projectPath, { byNpx: true });
    expect(compared.status).toBe(EXIT.done);
    expect(compared.stdout).toContain('the behaviour contract holds');
    // Which is faster takes longer to find out where the machine is busy.
    expect(compared.stdout).toMatch(/^(?:No verdict on )?b (?:is|against|and) [^]*\bdecode\b/m);
    expect(compared.stdout.replaceAll(/ \\\n +/g, ' ')).toMatch(
      /npx assay compare a b --op decode --processes 16 --placements 0 --schedule sequential --seed 7 /,
    );
    expect(`${compared.stdout}${compared.stderr}`).not.toMatch(/\bjust\b/);
    expect(listFiles(assayPath)).toEqual(before);

    const [run] = readdirSync(join(projectPath, '.assay/runs'));
    const path = join(projectPath, '.assay/runs', run);
    for (const name of ['report.md', 'report.html', 'verdict.json', 'manifest.json']) {
      expect(statSync(join(path, name)).size).toBeGreaterThan(1_000);
    }
    expect(readdirSync(join(path, 'artefacts/profiles'))).not.toEqual([]);
    const { assay: version, command } = JSON.parse(
      readFileSync(join(path, 'manifest.json'), 'utf8'),
    );
    expect(version).toMatchObject({ revision: null, dirty: false });
    expect(command).toMatch(/^npx assay compare a b /);
    const again = await assay('report', join('.assay/runs', run));
    expect(again).toMatchObject({ status: EXIT.done, stdout: compared.stdout });
  });

  test.each([
    ['my-codec', "'my-codec' exists already: 'assay/my-codec'"],
    ['js-bson', "'js-bson' exists already: 'node_modules/assay/experiments/js-bson'"],
    ['corpora', "'corpora' is the folder of the corpora of all families"],
    ['My Codec', "'My Codec' is not a valid name of a family"],
  ])('init %s is refused afterwards', async (name, message) => {
    const { status, stdout, stderr } = await assay('init', name);
    expect(stderr).toContain(`error: ${message}\n  `);
    expect({ status, stdout }).toEqual({ status: EXIT.usage, stdout: '' });
  });

  test('a wrong variant is refused with the place of the difference', async () => {
    const file = join(projectPath, 'assay/my-codec/variants/wrong.js');
    const text = readFileSync(join(projectPath, 'assay/my-codec/variants/b.js'), 'utf8');
    writeFileSync(file, text.replace('`"${text}"`', '`"${text} "`'));
    const { status, stdout } = await assay('check', 'wrong');
    rmSync(file);
    expect(status).toBe(EXIT.wrongBytes);
    expect(stdout).toMatch(/escapes +BROKEN|escapes +fails/i);
    expect(stdout).toMatch(/byte 7/);
  });

  test.each([
    [
      'a typo',
      "export const variant = { idea: '' };\n}",
      /'.*variants\/broken\.js' cannot be loaded: /,
    ],
    ['no description', 'export const encode = 1;', /'.*variants\/broken\.js' exports no variant/],
  ])('a variant with %s is named', async (_what, text, message) => {
    const file = join(projectPath, 'assay/my-codec/variants/broken.js');
    writeFileSync(file, text);
    const { status, stderr } = await assay('check', 'broken');
    rmSync(file);
    expect(stderr).toMatch(message);
    expect(status).toBe(EXIT.usage);
  });
});

const GUIDE = readFileSync(join(PROJECT.assayPath, 'docs/your-own-codec.md'), 'utf8');
/** What needs a browser, minutes, a repository or a module that the guide does not contain. */
const NOT_TRIED = /^open|^trend|--pr|path:|git:/;

/** @returns {string[]} commands of the guide, without `npx assay` */
function listCommands() {
  return [...GUIDE.matchAll(/^ {4}npx assay (.*)$/gm)]
    .map(([, command]) => command)
    .filter((command) => !NOT_TRIED.test(command));
}

/** Writes the files that the guide contains, by the name in front of each. */
function writeFilesOfGuide() {
  const blocks = GUIDE.matchAll(/`(assay\/[\w/.-]+\.js)`[^`]*:\n\n```js\n(.*?)^```$/gms);
  const files = Object.fromEntries([...blocks].map(([, name, text]) => [name, text]));
  expect(Object.keys(files)).toEqual([
    ...['family', 'operations/encode', 'operations/decode'].map((name) => `assay/cborg/${name}.js`),
    'assay/my-codec/operations/compress.js',
    'assay/my-codec/variants/c.js',
    'assay/my-codec/corpora/numbers.js',
  ]);
  writeFiles(projectPath, files);
}

describeLong('the commands of the guide work in the order of the guide', () => {
  // Those that begin the guide are above.
  const commands = listCommands().filter((command) => !/^init|^compare a b$/.test(command));
  beforeAll(async () => {
    await makeFamily();
    await assay('init', 'cborg');
    for (const name of ['codec.js', 'conformance.js', 'variants']) {
      rmSync(join(projectPath, 'assay/cborg', name), { recursive: true });
    }
    writeFilesOfGuide();
  });

  test('there are several', () => expect(commands.length).toBeGreaterThan(5));

  test.each(commands)('npx assay %s', async (command) => {
    const brief = command.startsWith('compare') ? BRIEF : [];
    const { status, stderr } = await assay(...command.split(' '), ...brief);
    expect(stderr).not.toContain('error');
    expect(status).toBe(EXIT.done);
  });
});
