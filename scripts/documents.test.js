import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listFamilies } from '../harness/variants/families.js';
import { callAssay, makeProject, runAssay } from '../harness/testing/support/project.js';
import { findTool } from '../harness/host/tools.js';
import { testLong } from '../harness/testing/support/gates.js';
import { scriptJobs } from '../harness/testing/support/scripted-jobs.js';
import { makeTestDirectory, writeFiles } from '../harness/testing/support/directories.js';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'harness/studies/calibration/peers/README.md',
  'corpora/README.md',
  'experiments/README.md',
  ...listPages('docs'),
  ...listFolders('experiments').flatMap(listPages),
  ...listPages('harness/decisions'),
  'reports/examples/README.md',
  'reports/examples/workflows/README.md',
];
/** Matches `just`, its npx form or that of a package: the recipe and the rest of the line or code span. */
const COMMAND =
  /(?:^ {4}(?:\$ )?|`)(?:(?:npx --yes rust-)?just|npx assay) ([a-z]+)((?: [^`\n]*?)?)(?=`|\n| {3})/gm;

const outPath = makeTestDirectory('documented');

/** @param {string} folder */
function listPages(folder) {
  return readdirSync(join(PROJECT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

/** @param {string} folder */
function listFolders(folder) {
  return readdirSync(join(PROJECT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`);
}

/** @type {(page: string) => { recipe: string, rest: string }[]} */
function listCommands(page) {
  // A command in prose may be wrapped; one in an indented block may not.
  const text = readFileSync(join(PROJECT, page), 'utf8').replaceAll(/(?<=\S)\n(?=[^\s|`#-])/g, ' ');
  return [...text.matchAll(COMMAND)].map(([, recipe, rest]) => ({ recipe, rest: rest.trim() }));
}

/** @type {Map<string, Promise<string>>} by recipe, since most occur several times */
const helps = new Map();

/**
 * @param {string} recipe
 * @returns {Promise<string>} its help text
 */
function readHelp(recipe) {
  const known = helps.get(recipe) ?? callAssay([recipe, '--help']).then(({ stdout }) => stdout);
  helps.set(recipe, known);
  return known;
}

const commands = PAGES.flatMap((page) => listCommands(page).map((found) => ({ page, ...found })));

const families = await listFamilies(join(PROJECT, 'experiments'));
const axes = families.flatMap((family) => family.axes.map(({ name }) => `--${name}`));

describe('commands in the documents', () => {
  test('are found', () => {
    expect(commands.length).toBeGreaterThan(20);
    expect(new Set(commands.map(({ recipe }) => recipe)).size).toBeGreaterThan(5);
  });

  const justfile = readFileSync(join(PROJECT, 'Justfile'), 'utf8');
  test.each(commands)('$page: just $recipe $rest', async ({ recipe, rest }) => {
    expect(justfile).toMatch(new RegExp(`^${recipe}\\b.*:`, 'm'));
    const options = rest.match(/--[a-z-]+/g) ?? [];
    if (options.length === 0) return;
    const help = await readHelp(recipe);
    const known = help.includes('--set ') ? ['--help', ...axes] : ['--help'];
    for (const option of options) expect(`${help} ${known.join(' ')}`).toContain(option);
  });
});

describe('links of the documents', () => {
  test.each(PAGES)('%s: point to files', (page) => {
    const text = readFileSync(join(PROJECT, page), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, to]) => to);
    for (const to of links) {
      expect({ to, exists: existsSync(join(PROJECT, page, '..', to)) }).toEqual({
        to,
        exists: true,
      });
    }
  });

  test('the map of the harness names files and folders that exist', () => {
    const map = readFileSync(join(PROJECT, 'harness/README.md'), 'utf8');
    const names = [...map.matchAll(/`([\w./-]+?\/?)`/g)]
      .map(([, name]) => name)
      .filter((name) => /\/|\.(?:js|ts|rs|java|json|md|sh|ndjson)$/.test(name))
      .filter((name) => !/[A-Z]{4}(?!\.md)|^\.|\.ndjson$/.test(name));
    const tracked = execFileSync('git', ['ls-files'], { cwd: PROJECT, encoding: 'utf8' });
    const files = `/${tracked.replaceAll('\n', '\n/')}`;
    expect(
      names.filter((name) => !files.includes(`/${name}${name.endsWith('/') ? '' : '\n'}`)),
    ).toEqual([]);
  });

  test('the picture is small enough to load at once', () => {
    expect(statSync(join(PROJECT, 'docs/report.png')).size).toBeLessThan(300_000);
  });
});

/** Terms of the glossary, as prose uses them. */
const TERMS = [
  ...['arms?', 'blocks?', 'cells?', 'contract', 'gate', 'placements?', 'recorders?'],
  '(?:early|first|last) looks?',
  'reference(?! loop|\\*\\* loop)',
];

test.each(listPages('docs').filter((page) => page !== 'docs/glossary.md'))(
  '%s links the terms that it uses to the glossary',
  (page) => {
    const prose = readFileSync(join(PROJECT, page), 'utf8')
      .replaceAll(/```.*?```|`[^`]*`|^ {4}.*$|^#.*$/gms, '')
      .replaceAll(/\]\((?!glossary)[^)]*\)/g, ']');
    const unlinked = TERMS.filter(
      (term) =>
        new RegExp(`\\b${term}\\b`).test(prose) &&
        !new RegExp(`\\[[^\\]]*\\b${term.replace(/.* /, '')}\\b[^\\]]*\\]\\(glossary`).test(prose),
    );
    expect(unlinked).toEqual([]);
  },
);

test('each column of the table of cells is explained', () => {
  const page = readFileSync(join(PROJECT, 'docs/read-a-report.md'), 'utf8');
  const explained = [...page.matchAll(/^\| ([^|]+?) +\|/gm)].flatMap(([, names]) =>
    names.split(', '),
  );
  const columns = ['mixed', 'candidates', 'cold', 'runtimes', 'merged'].flatMap((name) => {
    const report = readFileSync(join(PROJECT, `reports/golden/${name}.markdown.txt`), 'utf8');
    const [, titles] = /^\| (operation \| corpus .* verdict .*) \|$/m.exec(report) ?? ['', name];
    return titles.split(' | ').filter((title) => !title.startsWith('`'));
  });
  expect(columns.filter((title) => !explained.includes(title.replace(/^95\s/, '98 ')))).toEqual([]);
});

testLong('the variant of the manual passes the check', async () => {
  const [, code] =
    readFileSync(join(PROJECT, 'docs/add-a-variant.md'), 'utf8').match(/```js\n(.*?)```/s) ?? [];
  const folder = new URL('../experiments/js-bson/variants/', import.meta.url).href;
  const path = join(outPath, 'my-idea.mjs');
  writeFileSync(
    path,
    code.replaceAll(/'(\.\.\/[^']+)'/g, (_, to) => `'${new URL(to, folder).href}'`),
  );
  const { status, stdout } = await callAssay(['check', `path:${path}`, '--corpus', 'flat']);
  expect(stdout).toContain('34 of 34 promises hold');
  expect(status).toBe(0);
});

describe('commands of the manual, with short budgets', () => {
  /** @type {string} */
  let runPath;
  beforeAll(async () => {
    const cells = ['--op', 'serialize', '--corpus', 'flat'];
    const args = ['compare', 'generator', 'linked-list', ...cells, '--budget', '1'];
    const manualPath = join(outPath, 'manual');
    const { status, stdout } = await callAssay([...args, '--out', manualPath], {
      runJob: scriptJobs(),
    });
    expect(stdout.replaceAll(/ \\\n +/g, ' ')).toContain(`just ${args.join(' ')}`);
    expect(status).toBe(0);
    runPath = join(manualPath, readdirSync(manualPath)[0]);
  });

  /** @param {string} words  @param {RegExp} printed */
  async function expectPrinted(words, printed) {
    const { status, stdout } = await callAssay(words.split(' '));
    expect(stdout).toMatch(printed);
    expect(status).toBe(0);
  }

  test.each([
    ['variants', /linked-list/],
    ['variants pooled-frames', /neighbour/],
    ['compare A B --help', /--memory-only/],
  ])('just %s', expectPrinted);

  testLong.each([
    ['corpora', /comments/],
    ['fuzz linked-list --documents 100', /no difference/],
  ])('just %s', expectPrinted);

  test('just report RUN --format markdown', async () => {
    const { status, stdout } = await callAssay(['report', runPath, '--format', 'markdown']);
    expect(stdout).toBe(readFileSync(join(runPath, 'report.md'), 'utf8'));
    expect(status).toBe(0);
  });
});

const testPython = findTool('python3', process.env) === null ? test.skip : testLong;

testPython(
  'the example family of the guide is complete: its variants can be compared',
  async () => {
    const guide = readFileSync(join(PROJECT, 'experiments/README.md'), 'utf8');
    const files = guide.matchAll(/^`([\w/.-]+)`(?:(?!\n\n)[^])*?:\n\n```\w+\n(.*?)^```$/gms);
    const familyPath = join(outPath, 'byte-order');
    writeFiles(familyPath, Object.fromEntries([...files].map(([, name, text]) => [name, text])));
    const projectPath = join(outPath, 'project');
    const runsPath = join(outPath, 'runs');
    makeProject(projectPath, [familyPath]);
    const arms = ['byte-order:slice', 'byte-order:iterator'];
    const options = ['--budget', '1', '--explain', 'none', '--out', runsPath];
    const { status, stderr } = await runAssay(['compare', ...arms, ...options], { projectPath });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const path = join(runsPath, readdirSync(runsPath)[0], 'observations.ndjson');
    const observations = readFileSync(path, 'utf8').trimEnd().split('\n');
    for (const line of observations) expect(JSON.parse(line)).toMatchObject({ outcome: 'done' });
  },
);
