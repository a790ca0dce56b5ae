import {
  describeCorpus,
  formatCatalog,
  formatCorpus,
  listCorpora,
} from '../../../corpora/support/catalog.js';
import { EXIT } from '../../lib/exit-status.js';
import { PROJECT } from '../../lib/project.js';
import { terminalOf } from '../publish.js';

/** @import { Io } from '../cli.js' */

const PLACE = { directory: PROJECT.corporaPath };

const FOOTER = `\
fields: and array items, at every level, of a document on average.
dictionary when: V8 keeps objects as hash tables when they came to be this way.
NAME is NAME@parsed, as EJSON.parse makes the documents; NAME@deserialized and
NAME@literal are the same documents come from elsewhere. A built-in corpus of
several documents takes a count: comments:1000, comments:1000@literal.
Your own documents: just corpora import NAME FILE
`;

/**
 * `just corpora`: what there is, what it stresses and what V8 makes of its objects; with names,
 * everything about those.
 *
 * @param {[string[]?]} args labels of corpora
 * @param {object} _options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
export async function runCommand([labels = []], _options, io) {
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
