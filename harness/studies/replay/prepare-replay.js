import { nameAssay } from '../../lib/name-assay.js';
import { UsageError } from '../../lib/errors.js';
import { prepareComparison } from '../../run/prepare-comparison.js';
import { describeAssay, PROJECT } from '../../lib/project.js';
import { hasProgram } from '../../variants/build-family.js';
import { findFamily, listFamilies } from '../../variants/families.js';
import { findNodeRuntime } from '../../variants/find-node-runtime.js';
import { openContext } from '../../variants/open-context.js';
import { checkCells } from './check-cells.js';
import { checkQuestion } from './check-question.js';
import { findRecordedNode } from './find-recorded-node.js';
import { makeReplayQuestion } from './make-replay-question.js';
import { mapVariants } from './map-variants.js';
import { quoteText } from './refuse.js';
import { requireSame } from './require-same.js';

/** @import { Io } from '../../cli/cli.js' */
/** @import { ReplayRecord } from '../../formats/types.ts' */
/** @import { Prepared } from '../../run/run-comparison.js' */
/** @import { RecordedNode } from './find-recorded-node.js' */

/** @type {Readonly<RecordedNode>} where a program of the family's own measures */
const NODE_DOES_NOT_MATTER = Object.freeze({ node: null, isSame: true, note: null });

/**
 * @typedef {object} ReplayChoices
 * @property {string[]} maps as typed
 * @property {boolean} allowsBuild whether the build command of the report may run
 * @property {number | null} budgetSeconds null for that of the report
 * @property {boolean} [sandbox] whether workers run in one
 * @property {Io} io
 */

/**
 * Makes ready what a report asks for, after everything in it was checked: nothing is installed,
 * built or loaded on the word of a report that does not hold together.
 *
 * @param {ReplayRecord} record of the right form
 * @param {ReplayChoices} choices
 * @returns {Promise<{ prepared: Omit<Prepared, 'command' | 'runsPath' | 'recorderStates'>, isSameNode: boolean, notes: string[] }>}
 *   notes: what is done otherwise than in the report
 * @throws {import('../../lib/errors.js').AssayError} when it asks for what is not allowed, not there, or
 *   not what was measured
 */
export async function prepareReplay(record, { maps, io, ...choices }) {
  const { allowsBuild } = choices;
  const families = await listFamilies(PROJECT.experimentsPath);
  const family = findFamily(families, record.question.family);
  checkQuestion(record.question);
  await checkCells(record, family, PROJECT.corporaPath);
  const specs = mapVariants(record, family, maps);
  if (allowsBuild) requireBuild(record);
  const running = process.versions.node;
  const found = (await hasProgram(family))
    ? NODE_DOES_NOT_MATTER
    : await findRecordedNode(record, running, (node) =>
        findNodeRuntime(node, openContext({ families, family }, io)),
      );
  const { node } = found;
  const question = makeReplayQuestion(record, specs, { node, ...choices });
  const prepared = await prepareComparison(question, { families, family, io });
  requireSame(record, prepared);
  const notes = [...(found.note === null ? [] : [found.note]), ...listNotes(record, allowsBuild)];
  return { prepared, isSameNode: found.isSame, notes };
}

/** @param {ReplayRecord} record */
function requireBuild(record) {
  if (record.question.build !== undefined && hasCheckout(record)) return;
  throw new UsageError('--build lets a build command run, and the report gives none', {
    remedy: 'leave it out',
  });
}

/** @param {Pick<ReplayRecord, 'variants'>} record */
function hasCheckout({ variants: { baseline, candidate } }) {
  return [baseline, candidate].some(({ kind }) => kind === 'git');
}

/**
 * @param {ReplayRecord} record
 * @param {boolean} allowsBuild
 * @returns {string[]}
 */
function listNotes({ assay, question, variants }, allowsBuild) {
  const { build, memory, shard } = question;
  const notes = [];
  const [theirs, ours] = [assay, describeAssay()].map(nameAssay);
  if (theirs !== ours) notes.push(`measured by ${ours}, not by ${theirs}`);
  if (memory === 'too') notes.push('memory is not replayed: the record holds no figures of it');
  if (shard !== undefined) {
    notes.push(
      `the report is part ${shard.index} of ${shard.count} of a plan; its own cells are replayed`,
    );
  }
  if (build !== undefined && hasCheckout({ variants }) && !allowsBuild) {
    notes.push(`the build command of the report does not run without --build: ${quoteText(build)}`);
  }
  return notes;
}
