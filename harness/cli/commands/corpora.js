import { resolve } from 'node:path';
import { EXIT } from '../../lib/errors.js';
import { countOf, formatSize } from '../../lib/numbers.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT } from '../../lib/project.js';
import { flag, FORMAT } from '../options.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */

const LIST_OPTIONS = { format: FORMAT };
const IMPORT_OPTIONS = { replace: flag('--replace', 'replace a corpus of the same name') };

/** @type {CommandDeclaration} */
export const command = {
  summary: 'list the corpora, or import documents',
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
        ['<file>', 'the documents'],
      ],
      options: IMPORT_OPTIONS,
      run: runImport,
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
async function runList([labels = []], { format }, io) {
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
  io.stdout.write(await formatFinding({ document, data }, format, io));
  return EXIT.done;
}

/**
 * @param {[string, string]} args
 * @param {OptionValues<typeof IMPORT_OPTIONS>} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function runImport([name, file], { replace }, io) {
  const { importCorpus } = await import('../../../corpora/support/import.js');
  const place = { ...PLACE, replace: replace === true };
  const result = await importCorpus(name, resolve(io.workingPath, file), place);
  const size = `${countOf(result.documentCount, 'document')}, ${formatSize(result.sizeBytes)}`;
  io.stdout.write(`${result.name}: ${result.format}, ${size}\n${result.digest}\n`);
  for (const note of result.notes) io.stdout.write(`note: ${note}\n`);
  io.stdout.write(`Try: ${PROGRAM} compare generator linked-list --corpus ${result.name}\n`);
  return EXIT.done;
}
