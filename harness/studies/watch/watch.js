/** The loop of `watch`: a variant is checked and measured again whenever its files change. */

import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { prepareThenLock } from '../../host/lock.js';
import { tryTool } from '../../host/tools.js';
import { AssayError, UsageError } from '../../lib/errors.js';
import { openJournal } from '../../lib/journal.js';
import { addPin } from '../../lib/words.js';
import { isRest } from '../../profiling/explain/causes.js';
import { explainRun } from '../../profiling/explain-run.js';
import { listWantedRecorders } from '../../profiling/recorder-registry.js';
import { openJobRunner } from '../../run/jobs.js';
import { prepareComparison } from '../../run/prepare.js';
import { createRun } from '../../run/run.js';
import { openSandbox } from '../../run/sandbox.js';
import { sumOf } from '../../stats/means.js';
import { countPerVariant, listAllLooks } from '../../stats/plan.js';
import { contractViolations } from '../../stats/verdicts.js';
import { openContext } from '../../variants/families.js';
import { findCommit, runGit } from '../../variants/git.js';
import { parseVariantSpec } from '../../variants/spec.js';
import { openChanges } from './changes.js';
import { chooseChanged, describeEdit, orderCells } from './line.js';
import { hasChanged, isSameCode, listChanges, listFollowed, takeSnapshot } from './snapshots.js';

/** @import { CellComparison, Question, Recorder, StoredRun, VariantSpec, Verdict, WatchLine } from '../../formats/types.ts' */
/** @import { Io } from '../../lib/io.ts' */
/** @import { PassEnd } from '../../run/execute.js' */
/** @import { Passes, Session } from '../../run/run.js' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { Edit } from './line.js' */
/** @import { Copying, Snapshot } from './snapshots.js' */

/** It shows the functions of JavaScript, which an edit changes, and takes three seconds. */
const RECORDER = 'cpu-profile';
const BUILD_TIMEOUT_MS = 600_000;
/** Last lines of a build that failed. */
const MAX_LINES = 10;
/** Problems that a line names. */
const MAX_PROBLEMS = 3;

/**
 * @typedef {object} Watched
 * @property {Question} question with the specs of baseline and candidate as typed
 * @property {FoundFamily[]} families
 * @property {FoundFamily} family
 * @property {string} home absolute path of the directory for copies and runs
 * @property {string | undefined} build command that builds the candidate
 * @property {string} command as typed
 * @property {(baseline: string, candidate: string) => string} compareCommand command that compares two specs
 *
 * @typedef {object} Outside
 * @property {Io} io
 * @property {Omit<Session, 'recorders'>} session
 * @property {(path: string) => string} show a path as it is typed
 * @property {(line: WatchLine) => void} onLine called with everything that becomes known of an edit
 */

/**
 * @typedef {Watched & Outside & {
 *   baseline: { spec: string, snapshot: Snapshot | null },
 *   edits: Edit[],
 *   recorders: Recorder[],
 * }} Loop
 */

/**
 * Measures the candidate, and again after every change of its files, until the user interrupts.
 *
 *     copy ──► check ──► measure: look, line, look, line … ──► wait
 *      ▲         │wrong              │changed                    │changed
 *      └─────────┴───────────────────┴───────────────────────────┘
 *
 * @param {Watched} watched
 * @param {Outside} outside
 * @returns {Promise<WatchLine[]>} the last one of each edit
 * @throws {UsageError} when the candidate is no module
 */
export async function watchVariant(watched, outside) {
  const { io } = outside;
  const copying = await openCopying(watched, outside);
  const recorders = await chooseRecorders(watched.question);
  const baseline = await keepBaseline(watched, copying);
  const loop = { ...watched, ...outside, recorders, baseline, edits: /** @type {Edit[]} */ ([]) };
  const changes = openChanges();
  try {
    while (!io.signal.aborted) {
      const edit = await takeEdit(loop, copying);
      loop.edits.push(edit);
      changes.follow(listFollowed(edit.snapshot));
      const change = changes.next(() => hasChanged(edit.snapshot));
      const signal = AbortSignal.any([io.signal, change]);
      report(loop, edit, 'checking');
      report(loop, edit, edit.problems.length > 0 ? 'broken' : await measure(loop, edit, signal));
      if (!signal.aborted) await once(signal, 'abort');
    }
  } finally {
    changes.close();
  }
  return loop.edits.flatMap(({ line }) => line ?? []);
}

/** @type {(watched: Watched, outside: Outside) => Promise<Copying>} */
async function openCopying({ question, families, family }, { io, show }) {
  const sandbox = await openSandbox(question.sandbox, io.environment);
  return {
    context: openContext({ families, family, build: question.build, asOf: question.asOf }, io),
    runJob: openJobRunner([], { ...io, sandbox }),
    show,
  };
}

/** @type {(question: Question) => Promise<Recorder[]>} */
async function chooseRecorders(question) {
  return (await listWantedRecorders(question, false)).filter(({ name }) => name === RECORDER);
}

/**
 * The baseline as it is now: edits may change its files, too, and commits what a revision means.
 * @type {(watched: Watched, copying: Copying) => Promise<Loop['baseline']>}
 */
async function keepBaseline({ question, home }, copying) {
  const spec = parseVariantSpec(question.baseline);
  if (spec.kind === 'git') {
    const path = resolve(copying.context.workingPath, spec.directory);
    const commit = findCommit({ path, typed: spec.directory }, spec.ref);
    return { spec: addPin(`git:${spec.directory}@${commit}`, spec.runtime), snapshot: null };
  }
  const isHere = spec.kind === 'built-in' || spec.kind === 'path';
  const snapshot = isHere ? await takeSnapshot(spec, join(home, 'baseline'), copying) : null;
  return { spec: snapshot?.spec ?? spec.text, snapshot };
}

/**
 * Builds the candidate, if it has to be built, and copies it.
 * @type {(loop: Loop, copying: Copying) => Promise<Edit>}
 */
async function takeEdit({ edits, question, home, build, io }, copying) {
  const spec = parseVariantSpec(question.candidates[0]);
  const before = edits.at(-1)?.snapshot;
  const number = edits.length;
  const directory = findDirectory(spec, build, io);
  const problems =
    directory === null ? [] : await runBuild(/** @type {string} */ (build), directory, io);
  const sources = directory === null ? undefined : listSources(directory);
  const path = join(home, String(number));
  const snapshot = await takeSnapshot(spec, path, { ...copying, before, sources });
  if (snapshot === null) {
    throw new UsageError(`'${spec.text}' is more than the files of a module, which watch follows`, {
      remedy: 'name a variant without axes that is neither a patch nor built, or path:FILE',
    });
  }
  if (snapshot.problem !== null) problems.push(snapshot.problem);
  const same = edits.find((edit) => isSameCode(edit.snapshot, snapshot));
  return {
    number,
    at: new Date().toISOString(),
    snapshot,
    changes: before === undefined ? [] : await listChanges(before, snapshot),
    sameAs: same?.number ?? null,
    isCorrect: null,
    problems,
    found: [],
    explained: null,
    line: null,
  };
}

/** @type {(spec: VariantSpec, build: string | undefined, io: Pick<Io, 'workingPath'>) => string | null} of the package that is built; null if none is */
function findDirectory(spec, build, { workingPath }) {
  if (build === undefined) return null;
  if (spec.kind === 'path') return realpathSync(resolve(workingPath, spec.path));
  throw new UsageError(`--build builds the candidate, and '${spec.text}' is no directory`, {
    remedy: 'name it as path:DIRECTORY, or leave --build out',
  });
}

/** @type {(build: string, directory: string, io: Io) => Promise<string[]>} what it printed last if it failed */
async function runBuild(build, directory, { environment, signal }) {
  const settings = { environment, timeoutMs: BUILD_TIMEOUT_MS, workingPath: directory, signal };
  const { status, stdout, stderr } = await tryTool('sh', ['-c', build], settings);
  if (status === 0) return [];
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
  return [`the build failed: ${build}`, ...lines.slice(-MAX_LINES)];
}

/** What git does not ignore. @type {(directory: string) => string[]} paths relative to the directory */
function listSources(directory) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  return runGit(directory, args)
    .split('\0')
    .filter((name) => name !== '');
}

/**
 * Checks an edit and measures it until the last look.
 *
 * @param {Loop} loop
 * @param {Edit} edit
 * @param {AbortSignal} signal aborted by the next change, or by the user
 * @returns {Promise<WatchLine['state']>} at its end
 */
async function measure(loop, edit, signal) {
  const { families, family, home, command, baseline, recorders, session } = loop;
  const candidate = edit.snapshot.spec;
  const question = {
    ...loop.question,
    baseline: baseline.spec,
    candidates: [candidate],
    cells: orderCells(loop.question.cells, loop.edits.slice(0, edit.number)),
  };
  // The first edit has said what there is to note.
  const io = { ...loop.io, signal, ...(edit.number === 0 ? {} : { stderr: SILENT }) };
  const request = { command, where: home, waits: true };
  try {
    const run = await prepareThenLock(
      request,
      { ...loop.io, signal },
      () => prepareComparison(question, { families, family, io }),
      (prepared) =>
        createRun(
          {
            ...prepared,
            command: loop.compareCommand(baseline.spec, candidate),
            runsPath: join(home, String(edit.number)),
            recorderStates: [],
          },
          {
            ...session,
            signal,
            recorders,
            onLook({ cells }) {
              // When measuring goes on after a profile, the looks so far are taken again.
              if (countProcesses(cells) <= countProcesses(edit.found)) return;
              edit.found = cells;
              const hot = cells.filter(({ verdict }) => verdict === 'refused');
              if (hot.length > 0) edit.isCorrect = false;
              edit.problems = hot.slice(0, MAX_PROBLEMS).map(describeHot);
              report(loop, edit, hot.length > 0 ? 'wrong' : 'measuring');
            },
            measure: (passes, started) => measureLooks(loop, edit, passes, started),
          },
        ),
    );
    return conclude(edit, run);
  } catch (error) {
    if (signal.aborted) return 'left';
    if (!(error instanceof AssayError)) throw error;
    const { message, quoted, remedy = [] } = error;
    const lines = [message, ...(quoted.length > 0 ? quoted : [remedy].flat())];
    edit.problems = lines.map((line) => line.replaceAll(candidate, `edit ${edit.number}`));
    return 'broken';
  }
}

const SILENT = { write: () => true };

/** @type {(cells: CellComparison[]) => number} */
function countProcesses(cells) {
  return sumOf(cells.map(({ processes }) => countPerVariant(processes)));
}

/** @type {(comparison: CellComparison) => string} */
function describeHot({ cell }) {
  return `${cell.id}: another output than in the check, once the code was hot`;
}

/**
 * Looks at all cells, again and again; once one has changed, a profile shows why.
 *
 * @param {Loop} loop
 * @param {Edit} edit
 * @param {Passes} passes
 * @param {StoredRun} run
 * @returns {Promise<PassEnd>}
 */
async function measureLooks(loop, edit, passes, run) {
  edit.isCorrect = true;
  report(loop, edit, 'measuring');
  for (const look of listAllLooks(run.manifest.question)) {
    const ended = await passes.timing(1, look);
    if (ended !== 'complete') return ended;
    const changed = edit.explained === null ? chooseChanged(loop, edit) : undefined;
    if (changed === undefined) continue;
    const profiled = await passes.profiles({ cells: [changed] });
    if (profiled === 'interrupted') return profiled;
    const found = { cells: [changed], firstNumber: 1 };
    const { explanation } = explainRun(run, found);
    const { id: cellId } = changed.cell;
    const causes = explanation.cells.find(({ cell }) => cell.id === cellId)?.causes ?? [];
    edit.explained = { cellId, causes: causes.filter((cause) => !isRest(cause)) };
    report(loop, edit, edit.isCorrect ? 'measuring' : 'wrong');
  }
  return 'complete';
}

/** @type {(edit: Edit, run: Pick<StoredRun, 'manifest'> & { verdict: Verdict }) => WatchLine['state']} */
function conclude(edit, { manifest, verdict: { ended, differences, failedJobs } }) {
  const { contracts, question } = manifest;
  const wrong = [
    ...differences.map(
      ({ variant, cellId, document, path, expected, found }) =>
        `${nameArm(variant, edit)}${cellId}, document ${document}, ${path}: ${found} instead of ${expected}`,
    ),
    ...contractViolations(contracts, question.acceptedRows).map(
      ({ spec, row }) => `${nameArm(spec, edit)}${row.name} is broken: ${row.detail}`,
    ),
  ];
  if (wrong.length > 0) {
    edit.isCorrect = false;
    edit.problems = wrong.slice(0, MAX_PROBLEMS);
    return 'wrong';
  }
  if (ended === 'interrupted') return 'left';
  if (ended !== 'failed') return 'measured';
  const lost = failedJobs.filter(({ measured }) => !measured);
  edit.problems = lost
    .slice(0, MAX_PROBLEMS)
    .map(({ jobId, failure }) => `${jobId} ${failure.detail}`);
  return 'broken';
}

/** @type {(spec: string, edit: Edit) => string} empty for the edit itself */
function nameArm(spec, { snapshot }) {
  return spec.startsWith(snapshot.spec) ? '' : `the baseline, ${spec}: `;
}

/** @type {(loop: Loop, edit: Edit, state: WatchLine['state']) => void} */
function report(loop, edit, state) {
  edit.line = describeEdit(loop, edit, state);
  openJournal(join(loop.home, 'watch.ndjson'), JOURNAL).append(edit.line);
  loop.onLine(edit.line);
}

const JOURNAL = {
  owner: { name: 'the edits', resume: 'start watching again' },
  remedy: 'start watching again',
  validate: () => {},
};
