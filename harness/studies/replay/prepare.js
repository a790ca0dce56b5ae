import { hasTwoCores } from '../../host/cores.js';
import { MachineError, UsageError } from '../../lib/errors.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT, identifyAssay } from '../../lib/project.js';
import { nameAssay } from '../../lib/words.js';
import { listDifferences, REFUSED, selectDifferences } from '../../run/identity.js';
import { prepareComparison } from '../../run/prepare.js';
import { scheduleOf } from '../../stats/schedule.js';
import { hasProgram } from '../../variants/build-family.js';
import { findFamily, listFamilies, openContext } from '../../variants/families.js';
import { findRuntime } from '../../variants/runtimes.js';
import { mapVariants } from './map-variants.js';
import { checkCells, checkQuestion, makeReplayQuestion, quoteText, refuse } from './question.js';

/** @import { Io } from '../../lib/io.ts' */
/** @import { ReplayRecord, VariantIdentity, Runtime } from '../../formats/types.ts' */
/** @import { Difference, Identity } from '../../run/identity.js' */
/** @import { Prepared } from '../../run/run.js' */

/** For a family that is measured by its own program. @type {Readonly<RecordedNode>} */
const NODE_DOES_NOT_MATTER = Object.freeze({ runtime: null, isSame: true, note: null });

const ONE_AT_A_TIME =
  'the report ran two jobs at a time, for which this host lacks a second core or taskset; here jobs run one at a time';

/**
 * @typedef {object} ReplayChoices
 * @property {string[]} maps as typed
 * @property {boolean} allowsBuild whether the build command of the report may run
 * @property {number | null} budgetSeconds null for that of the report
 * @property {boolean} [sandbox] whether workers run in one
 * @property {Io} io
 */

/**
 * Prepares the replay of a report. Everything in the report is checked before anything is installed, built
 * or loaded.
 *
 * @param {ReplayRecord} record of the right form
 * @param {ReplayChoices} choices
 * @returns {Promise<{ prepared: Omit<Prepared, 'command' | 'runsPath' | 'recorderStates'>, isSameNode: boolean, notes: string[] }>}
 *   notes: what differs from the report
 * @throws {import('../../lib/errors.js').AssayError} when it asks for something that is not allowed, does not
 *   exist, or differs from what was measured
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
    : await findRecordedNode(record, running, (runtime) =>
        findRuntime(runtime, openContext({ families, family }, io)),
      );
  const { runtime } = found;
  const canPair = hasTwoCores(io.environment);
  const question = makeReplayQuestion(record, specs, { runtime, hasTwoCores: canPair, ...choices });
  const prepared = await prepareComparison(question, {
    families,
    family,
    io,
    recorded: record.variants,
  });
  requireSame(record, prepared);
  const notes = [
    ...(found.note === null ? [] : [found.note]),
    ...(scheduleOf(question).width < scheduleOf(record.question).width ? [ONE_AT_A_TIME] : []),
    ...listNotes(record, allowsBuild),
  ];
  return { prepared, isSameNode: found.isSame, notes };
}

/** @param {ReplayRecord} record */
function requireBuild(record) {
  if (record.question.build !== undefined && hasCheckout(record)) return;
  throw new UsageError('--build allows a build command, and the report has none', {
    remedy: 'leave --build out',
  });
}

/** @param {Pick<ReplayRecord, 'variants'>} record */
function hasCheckout({ variants: { baseline, candidates } }) {
  return [baseline, ...candidates].some(({ kind }) => kind === 'git');
}

/** @type {(record: ReplayRecord, allowsBuild: boolean) => string[]} */
function listNotes({ assay, question, variants }, allowsBuild) {
  const { build, memory } = question;
  const notes = [];
  const [theirs, ours] = [assay, identifyAssay()].map(nameAssay);
  if (theirs !== ours) notes.push(`measured by ${ours}, not by ${theirs}`);
  if (memory === 'too') notes.push('memory is not replayed: the record has no memory results');
  if (build !== undefined && hasCheckout({ variants }) && !allowsBuild) {
    notes.push(`the build command of the report only runs with --build: ${quoteText(build)}`);
  }
  return notes;
}

const REGISTRY_REMEDY = 'check the registry that the package comes from';
const SHOWN_DIGEST_LENGTH = 'sha256:'.length + 12;

/**
 * Refuses to measure anything but what the report measured: the same code, documents and runtimes.
 *
 * @param {ReplayRecord} record checked
 * @param {Required<Pick<Identity, 'variants' | 'corpora' | 'runtimes'>>} here
 * @throws {import('../../lib/errors.js').FormatError} naming the first difference
 */
export function requireSame(record, here) {
  const [difference] = selectDifferences(listDifferences(record, here), REFUSED.replay);
  if (difference === undefined) return;
  const { label, before, now } = difference;
  const values = [before, now].map((value) => quoteText(shortenDigest(value)));
  refuse(
    `${label} is not what was measured: it was ${values[0]} and is ${values[1]} here`,
    findRemedy(difference, record),
  );
}

/** @type {(difference: Difference, record: ReplayRecord) => string} */
function findRemedy({ aspect, label }, record) {
  switch (aspect) {
    case 'corpus':
      return `other documents give other results: import those of the report, or ${checkOut(record.assay)}`;
    case 'runtime':
      return 'check the registry that npm is set to';
    case 'integrity':
      return REGISTRY_REMEDY;
    case 'commit':
      return 'name the checkout that has it with --map';
    default: {
      const { baseline, candidates } = record.variants;
      const own = [baseline, ...candidates].find(({ spec }) => label.endsWith(`'${spec}'`));
      return findVariantRemedy(own ?? baseline, record);
    }
  }
}

/**
 * @param {VariantIdentity} recorded
 * @param {Pick<ReplayRecord, 'assay' | 'question'>} record
 * @returns {string}
 */
function findVariantRemedy({ kind, revision }, { assay, question: { build } }) {
  switch (kind) {
    case 'built-in':
      return `its source is part of Assay: ${checkOut(assay)}`;
    case 'npm':
      return REGISTRY_REMEDY;
    case 'package':
      return `it is measured by a program that is part of Assay: ${checkOut(assay)}`;
    case 'git':
      return build === undefined
        ? `its build is not reproducible here; compare the commits directly with: ${PROGRAM} compare`
        : `its build is not reproducible here; it was built with ${quoteText(build)}, which --build allows`;
    case 'path': {
      const where = revision === undefined ? '' : ` from commit ${revision.commit}`;
      const changes = revision?.changes == null ? '' : ', which had uncommitted changes';
      return `map it to the same module, rebuilt${where}${changes}`;
    }
  }
}

/** @param {ReplayRecord['assay']} assay */
function checkOut({ version, revision, dirty }) {
  const what =
    revision === null
      ? `use Assay ${quoteText(version)}, which measured it`
      : `check out revision ${quoteText(revision)} of Assay, which measured it`;
  return dirty ? `${what} (it had uncommitted changes)` : what;
}

/** @param {string} value */
function shortenDigest(value) {
  return value.startsWith('sha256:') ? `${value.slice(0, SHOWN_DIGEST_LENGTH)}…` : value;
}

/**
 * @typedef {object} RecordedNode
 * @property {string | null} runtime to measure under; null if it is the running one, or if every cell or arm
 *   names its own
 * @property {boolean} isSame whether the Node of the report measures
 * @property {string | null} note why they do not
 */

/**
 * Finds the Node that measured the report, and fetches it if it is not the running one. If that fails, the
 * running one measures, which is a difference between the hosts.
 *
 * @param {Pick<ReplayRecord, 'question' | 'variants' | 'environment'>} record
 * @param {string} running exact version
 * @param {(wanted: string) => Promise<{ name: string, runtime: Runtime | null }>} findRuntime
 * @returns {Promise<RecordedNode>}
 */
export async function findRecordedNode(record, running, findRuntime) {
  const wanted = record.environment.node;
  if (wanted === running || !needsNode(record)) return { runtime: null, isSame: true, note: null };
  try {
    const { name } = await findRuntime(`node@${wanted}`);
    return { runtime: name, isSame: true, note: null };
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof MachineError)) throw error;
    const note = `the report was measured under Node ${wanted}, which is not available here: ${error.message}; Node ${running} measures instead`;
    return { runtime: null, isSame: false, note };
  }
}

/** @param {Pick<ReplayRecord, 'question' | 'variants'>} record */
function needsNode({ question, variants }) {
  const measured = [variants.baseline, ...variants.candidates];
  const isPinned = measured.every(({ runtime }) => runtime !== undefined);
  return !isPinned && question.cells.some(({ runtime }) => runtime === undefined);
}
