import { rmSync } from 'node:fs';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { UsageError } from '../../lib/errors.js';
import { PROGRAM, formatCommand } from '../../lib/program.js';
import { omitUndefined } from '../../lib/records.js';
import { openFilesExecutor } from '../../run/executors/files.js';
import { openCodeWatch } from '../../run/code.js';
import { listDifferences, REFUSED, selectDifferences, shorten } from '../../run/identity.js';
import { executeRun, findSessionRecorders, nameRun } from '../../run/run.js';
import { sumSessions } from '../../run/sessions.js';
import { createRunDirectory, journal, makeEmptyJournals, writeManifest } from '../../run/store.js';
import { isRefused } from '../../run/verdict.js';
import { mergeRecorderStates } from '../../profiling/plan-profiles.js';

/** @import { HostNoise, HostRecord, Manifest, PlanPart, Question, RunEnd } from '../../formats/types.ts' */
/** @import { Elsewhere, Session } from '../../run/run.js' */
/** @import { StoredRun } from '../../run/store.js' */
/** @import { AnalyzedRun } from '../../run/verdict.js' */

/**
 * A run that is to be merged.
 *
 * @typedef {object} Part
 * @property {string} name its directory as typed
 * @property {StoredRun} run
 */

/**
 * Merges the runs of all parts of a plan into a new run: the jobs of the whole question are looked up in their
 * journals, so that it is judged like any other.
 *
 * @param {Part[]} parts
 * @param {object} settings
 * @param {string} settings.runsPath where its directory is made
 * @param {Date} settings.createdAt
 * @param {(question: Question) => string} settings.formatCommand the command that measures the whole question
 * @param {Omit<Session, 'recorders'>} settings.session
 * @returns {Promise<StoredRun & AnalyzedRun>}
 * @throws {import('../../lib/errors.js').AssayError} when the runs cannot be merged or the disk is full
 */
export async function mergeRuns(parts, { runsPath, createdAt, session, ...settings }) {
  requireOnePlan(parts);
  const runs = parts.map(({ run }) => run).sort((a, b) => partOf(a).index - partOf(b).index);
  const { question, variants } = runs[0].manifest;
  const { runId, path } = createRunDirectory(runsPath, nameRun(createdAt, question));
  try {
    const hosts = runs.map(describeHost);
    const manifest = mergeManifests(runs, {
      runId,
      createdAt: createdAt.toISOString(),
      command: settings.formatCommand(question),
      recorders: mergeRecorderStates(hosts),
    });
    const gate = {
      formatVersion: FORMAT_VERSION,
      workerMs: runs.reduce((sum, run) => sum + run.gate.workerMs, 0),
      differences: (runs.find(isRefused) ?? runs[0]).gate.differences,
    };
    const merged = { path, manifest, gate, ...makeEmptyJournals(), hosts };
    writeManifest(merged);
    journal(path, 'host').append(...hosts);
    const answering = runs.map((run, index) => ({ host: hosts[index].host, run }));
    const elsewhere = {
      open: async () => ({
        ...openFilesExecutor(answering, path),
        tellSession: () => mergeSessions(runs),
      }),
    };
    const outside = { ...session, elsewhere: /** @type {Elsewhere} */ (elsewhere) };
    const isProgram = variants.baseline.program !== undefined;
    const { recorders } = await findSessionRecorders(question, outside, isProgram);
    const start = { startedAtMs: 0, budgetSeconds: null };
    // No job runs here, so the family need not be on this host.
    return await executeRun(
      merged,
      { familyPath: '', code: openCodeWatch() },
      { ...outside, recorders },
      start,
    );
  } catch (error) {
    // The parts still exist, so a partial merge is useless.
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

/** @type {(run: StoredRun) => PlanPart} */
function partOf({ manifest }) {
  return /** @type {PlanPart} */ (manifest.part);
}

/** @type {(run: StoredRun) => HostRecord} */
function describeHost(run) {
  const { runId, environment, calibration, recorders } = run.manifest;
  return {
    formatVersion: FORMAT_VERSION,
    host: `part ${partOf(run).index}`,
    runId,
    environment,
    hostNoise: sumSessions(run).hostNoise,
    recorders,
    ...omitUndefined({ calibration }),
  };
}

/**
 * The manifest of a merged run. Paths and the environment are those of the first part; the environments of the others
 * are those of its hosts. Where a part was refused, the contract is that of this part.
 *
 * @param {StoredRun[]} runs
 * @param {Pick<Manifest, 'runId' | 'createdAt' | 'command' | 'recorders'>} identity
 * @returns {Manifest}
 */
function mergeManifests(runs, identity) {
  const manifests = runs.map(({ manifest }) => manifest);
  const [first] = manifests;
  const manifest = {
    ...first,
    ...identity,
    assay: { ...first.assay, dirty: manifests.some(({ assay }) => assay.dirty) },
    contracts: (runs.find(isRefused) ?? runs[0]).manifest.contracts,
    packages: Object.assign({}, ...manifests.toReversed().map(({ packages }) => packages)),
    merged: /** @type {const} */ (true),
  };
  delete manifest.part;
  return manifest;
}

/** From the best to the worst. @type {RunEnd[]} */
const ENDS = ['complete', 'budget', 'interrupted', 'failed', 'refused'];

/**
 * What is known of the sessions of all parts. The end and the noise are the worst of all. Parts are
 * measured at the same time, so the wall time is that of the longest.
 * @param {StoredRun[]} runs
 */
function mergeSessions(runs) {
  const sessions = runs.map(sumSessions);
  const left = [...new Set(sessions.flatMap((session) => session.left ?? []))];
  /** @type {(counter: keyof HostNoise) => number | null} the highest known value */
  const highest = (counter) =>
    sessions.reduce(
      (/** @type {number | null} */ most, { hostNoise: { [counter]: value } }) =>
        value === null ? most : Math.max(value, most ?? value),
      null,
    );
  return {
    ended: ENDS[Math.max(...sessions.map(({ ended }) => ENDS.indexOf(ended)))],
    left,
    wallMs: Math.max(...sessions.map(({ wallMs }) => wallMs)),
    hostNoise: {
      stealShare: highest('stealShare'),
      othersShare: highest('othersShare'),
      throttledMs: highest('throttledMs'),
    },
  };
}

/**
 * Checks that runs are all parts of one plan, each once, finished, and comparable.
 *
 * @param {Part[]} parts
 * @throws {UsageError} naming the first reason why they cannot be merged
 */
function requireOnePlan(parts) {
  for (const part of parts) requireFinishedPart(part);
  for (const [index, part] of parts.entries()) {
    for (const earlier of parts.slice(0, index)) requireAlike(earlier, part);
  }
  requireEveryPart(parts);
}

/** @param {Part} part */
function requireFinishedPart({ name, run: { manifest, sessions } }) {
  if (manifest.merged === true) {
    throw new UsageError(`'${name}' is a merged run`, {
      remedy: 'name the runs of all its parts',
    });
  }
  if (manifest.part === undefined) {
    throw new UsageError(`'${name}' is not a part: it measured all cells of its question`, {
      remedy: `measure parts with the commands that '${PROGRAM} plan' prints`,
    });
  }
  if (sessions.at(-1)?.event !== 'ended') {
    throw new UsageError(`'${name}' was interrupted before its verdict`, {
      remedy: `resume it first: ${formatCommand(['compare', '--resume', name])}`,
    });
  }
}

/**
 * Parts may be measured on different hosts, but must have the same plan, Assay, variants, corpora
 * and Node.
 * @param {Part} first @param {Part} other
 */
function requireAlike(first, other) {
  const [ours, theirs] = [first, other].map(({ run }) => run.manifest);
  const [ourCode, theirCode] = [first, other].map(({ run }) => run.loadedFiles);
  /** @type {readonly import('../../run/identity.js').Aspect[]} */
  const refused =
    ranUnderOwnNode(ours) || ranUnderOwnNode(theirs) ? [...REFUSED.merge, 'node'] : REFUSED.merge;
  const differences = selectDifferences(
    listDifferences({ ...ours, loaded: ourCode }, { ...theirs, loaded: theirCode }),
    refused,
  );
  const [one, two] = [first, other].map(({ run }) => partOf(run).count);
  const count = { label: 'number of parts', before: String(one), now: String(two) };
  const difference = one === two ? differences[0] : count;
  if (difference === undefined) return;
  const { label, before, now } = difference;
  throw new UsageError(
    `cannot merge '${other.name}' with '${first.name}': ${label} differs (${shorten(now)}, not ${shorten(before)})`,
    { remedy: 'results of different things cannot be merged; measure that part again' },
  );
}

/** @param {Part[]} parts of one plan */
function requireEveryPart(parts) {
  /** @type {Map<number, Part>} */
  const byIndex = new Map();
  const { count } = partOf(parts[0].run);
  for (const part of parts) {
    const { index } = partOf(part.run);
    const known = byIndex.get(index);
    if (known !== undefined) {
      throw new UsageError(
        `part ${index}/${count} is given twice: '${known.name}' and '${part.name}'`,
        { remedy: 'name one of them, chosen without regard to its result' },
      );
    }
    byIndex.set(index, part);
  }
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const missing = numbers
    .filter((index) => !byIndex.has(index))
    .map((index) => `${index}/${count}`);
  if (missing.length === 0) return;
  const names = missing.length === 1 ? `part ${missing[0]} is` : `parts ${missing.join(', ')} are`;
  throw new UsageError(`${names} missing`, {
    remedy: 'name the runs of all parts; their commands differ only in --shard',
  });
}

/** Whether a job of a run may have run under the Node that runs Assay. @param {Manifest} manifest */
function ranUnderOwnNode({ question: { cells }, variants: { baseline, candidates } }) {
  const measured = [baseline, ...candidates];
  if (measured.every(({ program }) => program !== undefined)) return false;
  const areArmsPinned = measured.every(({ runtime }) => runtime !== undefined);
  return !areArmsPinned && cells.some(({ runtime }) => runtime === undefined);
}
