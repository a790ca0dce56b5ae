import { resolve } from 'node:path';
import { EXIT } from '../../lib/exit-status.js';
import { countOf, formatSize } from '../../lib/numbers.js';
import { PROJECT } from '../../lib/project.js';
import { flag } from '../options.js';
import { terminalOf } from '../terminal.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */

const IMPORT_OPTIONS = { replace: flag('--replace', 'replace a corpus of the same name') };

/** @type {CommandDeclaration} */
export const command = {
  summary: 'list the corpora, or import documents',
  subcommands: {
    list: {
      summary: 'list the corpora, what they stress and what V8 makes of their objects',
      arguments: [['[names...]', 'corpora to describe in full']],
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

const FOOTER = `\
fields: and array items, at every level, of a document on average.
dictionary when: V8 keeps objects as hash tables if they were made this way.
NAME is NAME@parsed, as EJSON.parse makes the documents; NAME@deserialized and
NAME@literal are the same documents from another source. A built-in corpus of
several documents takes a count: comments:1000, comments:1000@literal.
Your own documents: just corpora import NAME FILE
`;

/**
 * @param {[string[]?]} args labels of corpora
 * @param {object} _options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function runList([labels = []], _options, io) {
  const { describeCorpus, formatCatalog, formatCorpus, listCorpora } =
    await import('../../../corpora/support/catalog.js');
  const { width } = terminalOf(io);
  if (labels.length === 0) {
    const rows = await listCorpora(PLACE);
    io.stdout.write(`${formatCatalog(rows, width).join('\n')}\n${FOOTER}`);
    return EXIT.done;
  }
  for (const label of labels) {
    const row = await describeCorpus(label, PLACE);
    io.stdout.write(`${formatCorpus(row, width).join('\n')}\n`);
  }
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
  io.stdout.write(`Try: just compare generator linked-list --corpus ${result.name}\n`);
  return EXIT.done;
}
