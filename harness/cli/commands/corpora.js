import { resolve } from 'node:path';
import { EXIT, UsageError } from '../../lib/errors.js';
import { countOf, formatSize } from '../../lib/numbers.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT } from '../../lib/project.js';
import { STANDARD_INPUT, readStandardInput } from '../input.js';
import { flag, FORMAT, FULL, printedFormat } from '../options.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */

const LIST_OPTIONS = { format: FORMAT, full: FULL };
const IMPORT_OPTIONS = {
  replace: flag('--replace', 'replace a corpus of the same name'),
  strict: flag('--strict', 'refuse a file with a value that changes when it is read'),
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'list the corpora, import documents, or remove imported ones',
  subcommands: {
    list: {
      summary: 'list the corpora, what they stress and what V8 makes of their objects',
      arguments: [['[names...]', 'corpora to describe in full']],
      options: LIST_OPTIONS,
      run: runList,
    },
    import: {
      summary: 'import your own documents: Extended JSON, JSON lines or raw BSON',
      arguments: [
        ['<name>', 'its name on the command line'],
        ['<file>', `the documents; ${STANDARD_INPUT} is standard input`],
      ],
      options: IMPORT_OPTIONS,
      notes: `
The format is recognised by the content: Extended JSON of version 1 or 2 (one document, an array, or documents
one after the other), or BSON as mongodump writes it, either of them under gzip. A note names every value that
changes when the reference reads and writes it.
`,
      run: runImport,
    },
    remove: {
      summary: 'remove imported corpora and their documents',
      arguments: [['<names...>', 'imported corpora']],
      run: runRemove,
    },
  },
};

const PLACE = { directory: PROJECT.corporaPath };

/**
 * @param {[string[]?]} args labels of corpora
 * @param {OptionValues<typeof LIST_OPTIONS>} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function runList([labels = []], options, io) {
  const { describeCorpus, listCorpora } = await import('../../../corpora/support/catalog.js');
  const { describeCatalog, describeCorpora } = await import('../../../reports/content/corpora.js');
  const { identifyEnvironment } = await import('../../host/environment.js');
  const { formatFinding } = await import('../publish.js');
  const data =
    labels.length === 0
      ? await listCorpora(PLACE)
      : await Promise.all(labels.map((label) => describeCorpus(label, PLACE)));
  const describe = labels.length === 0 ? describeCatalog : describeCorpora;
  const document = describe(data, identifyEnvironment({ variables: io.environment }).node);
  io.stdout.write(await formatFinding({ document, data }, printedFormat(options), io));
  return EXIT.done;
}

/**
 * @param {[string, string]} args
 * @param {OptionValues<typeof IMPORT_OPTIONS>} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function runImport([name, file], { replace, strict }, io) {
  const { importCorpus } = await import('../../../corpora/support/import.js');
  const { MAX_FILE_BYTES } = await import('../../../corpora/support/user-file.js');
  if (['help', ...Object.keys(command.subcommands ?? {})].includes(name)) {
    throw new UsageError(`'${name}' is a word of '${PROGRAM} corpora'`, {
      remedy: `Choose another name, for example my-${name}.`,
    });
  }
  const how = { ...PLACE, replace: replace === true, isStrict: strict === true };
  const result =
    file === STANDARD_INPUT
      ? await importCorpus(name, 'standard input', {
          ...how,
          content: await readStandardInput(io, MAX_FILE_BYTES),
        })
      : await importCorpus(name, resolve(io.workingPath, file), how);
  const size = `${countOf(result.documentCount, 'document')}, ${formatSize(result.sizeBytes)}`;
  io.stdout.write(`${result.name}: ${result.format}, ${size}\n${result.digest}\n`);
  for (const note of result.notes) io.stdout.write(`note: ${note}\n`);
  if (result.isUnchanged) io.stdout.write('The corpus had the same documents; nothing changed.\n');
  io.stdout.write(`Try: ${PROGRAM} compare generator linked-list --corpus ${result.name}\n`);
  return EXIT.done;
}

/**
 * @param {[string[]]} args names of imported corpora
 * @param {unknown} _options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function runRemove([names], _options, io) {
  const { removeCorpus } = await import('../../../corpora/support/import.js');
  for (const name of names) {
    removeCorpus(name, PLACE);
    io.stdout.write(`${name} was removed.\n`);
  }
  return EXIT.done;
}
