import { listCorpora } from '../../corpora/support/catalog.js';
import { PROVENANCES } from '../../corpora/support/label.js';
import { formatCount, formatSize } from '../../reports/support/numbers.js';
import { wrapText } from '../../reports/support/wrap.js';
import { EXIT } from '../exit-status.js';
import { PROJECT } from '../project.js';
import { terminalOf } from '../publish-run.js';

/** @import { Io } from '../cli.js' */
/** @import { CorpusRow } from '../../corpora/support/catalog.js' */

/**
 * `just corpora`: what there is, what it stresses and what V8 makes of its objects.
 *
 * @param {unknown[]} _args
 * @param {object} _options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
export async function runCommand(_args, _options, io) {
  const { width } = terminalOf(io);
  const rows = await listCorpora({ directory: PROJECT.corporaPath });
  const text = rows.map((row) => describeCorpus(row, width).join('\n')).join('\n\n');
  io.stdout.write(`${text}\n\n`);
  io.stdout.write(
    'NAME is NAME@parsed, as EJSON.parse builds the documents; NAME@deserialized and\n' +
      'NAME@literal are the same documents come from elsewhere.\n' +
      'Your own documents: just corpora import NAME FILE\n',
  );
  return EXIT.done;
}

/**
 * @param {CorpusRow} row
 * @param {number} width
 * @returns {string[]}
 */
function describeCorpus(row, width) {
  const indent = { first: '    ', next: '    ' };
  const documents = row.documentCount === 1 ? 'document' : 'documents';
  const size = `${formatCount(row.documentCount)} ${documents}, ${formatSize(row.sizeBytes)}`;
  const objects = PROVENANCES.flatMap((provenance) => {
    const counts = row.objects[provenance];
    return counts === null ? [] : [`${counts.dictionary} ${provenance}`];
  });
  const total = PROVENANCES.map((name) => row.objects[name]).find((counts) => counts !== null);
  const sampled =
    row.sampledDocuments < row.documentCount
      ? ` in the first ${formatCount(row.sampledDocuments)} documents`
      : '';
  return [
    `${row.name}  (${row.origin}, ${size})`,
    ...wrapText(row.stresses, width, indent),
    `    ${row.digest}`,
    ...wrapText(
      `dictionary mode: ${objects.join(', ')}, of ${total?.total ?? 0} objects${sampled}`,
      width,
      indent,
    ),
    ...row.problems.flatMap((problem) => wrapText(problem, width, indent)),
  ];
}
