import { canonicalLabel } from '../../../corpora/support/prepare.js';
import { parseLabel } from '../../../corpora/support/label.js';
import { requireFittingCorpus } from '../../run/question/require-fitting-corpus.js';
import { loadOperation } from '../../variants/families.js';
import { EXACT_NODE_VERSION } from '../../variants/node-version.js';
import { quoteText, refuse } from './refuse.js';

/** @import { Cell, ReplayRecord } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */

/** Documents of all corpora together that are made ready on the word of a report. */
const MAX_DOCUMENTS = 1_000_000;
/** Each may have to be fetched. */
const MAX_NODES = 8;

/**
 * Refuses cells that this checkout would not make. Operations and corpora are looked up in the
 * listings of their folders, and never make a path.
 *
 * @param {ReplayRecord} record of the right form
 * @param {FoundFamily} family
 * @param {string} corporaPath where the user's own corpora are
 * @throws {import('../../lib/errors.js').AssayError} naming the first that does not exist or does not fit
 */
export async function checkCells(record, family, corporaPath) {
  const { cells } = record.question;
  requireUnique(cells.map(({ id }) => id));
  for (const cell of cells) await checkCell(cell, family, corporaPath);
  checkCorpora(record);
  checkNodes(record);
  const ids = new Set(cells.map(({ id }) => id));
  requireUnique(record.results.map(({ cellId }) => cellId));
  const foreign = record.results.find(({ cellId }) => !ids.has(cellId));
  if (foreign !== undefined) refuse(`${quoteText(foreign.cellId)} has a result and is no cell`);
  for (const { cellId, ratio } of record.results) {
    if (
      ratio === null ||
      (ratio.low > 0 && ratio.low <= ratio.estimate && ratio.estimate <= ratio.high)
    )
      continue;
    refuse(`the interval of ${quoteText(cellId)} is none`);
  }
}

/** @param {string[]} ids */
function requireUnique(ids) {
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) refuse(`the cell ${quoteText(twice)} comes twice`);
}

/**
 * @param {Cell} cell
 * @param {FoundFamily} family
 * @param {string} corporaPath
 */
async function checkCell({ id, operation, corpus, figure, node }, family, corporaPath) {
  const known = await loadOperation(family, operation);
  if (known.figure !== figure) {
    refuse(`the figure of ${quoteText(id)} is not that of the operation ${quoteText(operation)}`);
  }
  if ((await canonicalLabel(corpus, { directory: corporaPath })) !== corpus) {
    refuse(`${quoteText(corpus)} is not how this corpus is written`);
  }
  await requireFittingCorpus(
    parseLabel(corpus).name,
    { family, operation, description: known },
    { directory: corporaPath },
  );
  const bare = `${operation} ${corpus}`;
  const wanted = node === undefined ? bare : `${bare} node ${node}`;
  // A replay under the Node of its report leaves the cells their names, and its report replays too.
  if (id !== wanted && id !== bare) refuse(`the cell ${quoteText(id)} is ${quoteText(wanted)}`);
}

/** @param {ReplayRecord} record */
function checkCorpora({ question, corpora }) {
  const labels = new Set(question.cells.map(({ corpus }) => corpus));
  let documents = 0;
  for (const label of labels) {
    if (corpora.filter((corpus) => corpus.label === label).length !== 1) {
      refuse(`it does not give one digest for the corpus ${quoteText(label)}`);
    }
    documents += parseLabel(label).count ?? 0;
  }
  if (documents <= MAX_DOCUMENTS) return;
  refuse(`its corpora ask for ${documents} documents, more than ${MAX_DOCUMENTS}`);
}

/** @param {ReplayRecord} record */
function checkNodes({ question, variants, environment }) {
  const nodes = [
    environment.node,
    ...question.cells.map(({ node }) => node),
    ...[variants.baseline.node, variants.candidate.node],
  ].filter((node) => node !== undefined);
  const foreign = nodes.find((node) => !EXACT_NODE_VERSION.test(node));
  if (foreign !== undefined) refuse(`${quoteText(foreign)} is no exact version of Node`);
  const count = new Set(nodes).size;
  if (count > MAX_NODES) refuse(`it asks for ${count} versions of Node, more than ${MAX_NODES}`);
}
