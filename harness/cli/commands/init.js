import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT, UsageError } from '../../lib/errors.js';
import { makeCacheDirectory } from '../../lib/files.js';
import { formatCommand } from '../../lib/program.js';
import { PROJECT } from '../../lib/project.js';
import { showPath } from '../terminal.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration } from '../types.ts' */

/** @type {CommandDeclaration} */
export const command = {
  summary: 'write a small family for your own codec into this project',
  arguments: [['<name>', 'its name, and that of its folder in assay/']],
  notes: `
It is a working example, to be replaced by your own codec: a reference, two variants
that differ in one idea, a contract, two operations and a corpus.`,
  run,
};

const TEMPLATE_PATH = fileURLToPath(new URL('../new-family', import.meta.url));
/** Name of the family in the template. */
const TEMPLATE_NAME = 'my-codec';
const VARIANTS = ['a', 'b'];
const NAME_PATTERN = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const MAX_NAME_LENGTH = 64;

/** @type {(args: [string], _options: object, io: Io) => Promise<number>} exit status */
async function run([name], _options, io) {
  const { CORPORA_FOLDER, findFamiliesPath, findFamilyFolders } =
    await import('../../lib/places.js');
  if (!NAME_PATTERN.test(name) || name.length > MAX_NAME_LENGTH) {
    throw new UsageError(`'${name}' is not a valid name of a family`, {
      remedy: `use lower-case letters, digits and single hyphens, at most ${MAX_NAME_LENGTH}: my-codec`,
    });
  }
  if (name === CORPORA_FOLDER) {
    throw new UsageError(`'${name}' is the folder of the corpora of all families`, {
      remedy: 'choose another name',
    });
  }
  const projectPath = chooseProject(io.workingPath);
  const families = await findFamilyFolders({ ...PROJECT, projectPath });
  const other = families.find((family) => family.name === name);
  const path = join(await findFamiliesPath(projectPath), name);
  if (other !== undefined || existsSync(path)) {
    const found = showPath(other?.path ?? path, io.workingPath);
    throw new UsageError(`'${name}' exists already: '${found}'`, { remedy: 'choose another name' });
  }
  copyTemplate(path, name);
  // Its files are ES modules, whatever the project is.
  writeNew(join(path, 'package.json'), '{ "private": true, "type": "module" }\n');
  makeCacheDirectory(join(projectPath, '.assay'));

  const isAmbiguous = families.some((family) => existsSync(join(family.path, 'variants', 'a.js')));
  const specs = VARIANTS.map((variant) => (isAmbiguous ? `${name}:${variant}` : variant));
  const shown = showPath(path, io.workingPath);
  io.stdout.write(
    [
      `${shown}: a family with the variants a, b and json`,
      `Compare two of them: ${formatCommand(['compare', ...specs])}`,
      `Then replace the codec with your own, starting with ${join(shown, 'family.js')}`,
      '',
    ].join('\n'),
  );
  return EXIT.done;
}

/**
 * @param {string} workingPath
 * @returns {string} the current project, which for a checkout of Assay is where the command was typed
 */
function chooseProject(workingPath) {
  const { assayPath, projectPath } = PROJECT;
  const isOutside = relative(assayPath, workingPath).startsWith('..');
  return projectPath === assayPath && isOutside ? workingPath : projectPath;
}

/**
 * @param {string} path of the new family
 * @param {string} name
 */
function copyTemplate(path, name) {
  const files = readdirSync(TEMPLATE_PATH, { recursive: true, withFileTypes: true });
  for (const entry of files.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8')
      .replaceAll(`name: '${TEMPLATE_NAME}'`, `name: '${name}'`)
      .replaceAll(`'${TEMPLATE_NAME}-`, `'${name}-`);
    const fileName = relative(TEMPLATE_PATH, file).replace(`${TEMPLATE_NAME}-`, `${name}-`);
    writeNew(join(path, fileName), text);
  }
}

/** Keeps a file that exists. @param {string} file @param {string} text */
function writeNew(file, text) {
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
