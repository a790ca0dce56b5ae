/** What the commands of all studies do alike, from the arguments to the exit status. */

import { basename, resolve } from 'node:path';
import { prepareThenLock } from '../host/lock.js';
import { EXIT } from '../lib/errors.js';
import {
  assertSameAsRuns,
  assertSameHost,
  createStudyDirectory,
  findKind,
  formatResume,
  readStudy,
  runStudy,
  workInDirectory,
  writeRecord,
} from '../studies/study.js';
import { STUDIES } from '../formats/registry.js';
import { makeStudyFinding } from './findings.js';
import { printedFormat } from './options.js';
import { makeAnnouncer } from './progress.js';
import { publishFinding } from './publish.js';
import { findRunsPath } from './session.js';
import { showPath } from './terminal.js';

/** @import { Io } from '../lib/io.ts' */
/** @import { Formats } from '../formats/types.ts' */
/** @import { Prepared } from '../run/run.js' */
/** @import { Study, StudyName } from '../studies/study.js' */

/**
 * What a study asks, before it has a directory.
 *
 * @template Record
 * @typedef {object} Asked
 * @property {Record} record without the name of its directory
 * @property {string} label of its directory, after the moment: `bisect-main-serialize-flat`
 */

/**
 * A study whose record can be measured.
 *
 * @template State, Record
 * @typedef {object} OpenedStudy
 * @property {() => Promise<Partial<Prepared>[]>} prepare fetches and builds what is measured in any case, before the
 *   host is locked; a resumed study is refused if that is not what was measured before
 * @property {(record: Record, path: string) => Begun<State> | Promise<Begun<State>>} begin under the lock
 * @property {(state: State) => Record} [recordOf] by default the state is the record
 * @property {(state: State) => string | null} [plan] a line before anything is measured
 * @property {(state: State, results: any[]) => number} [statusOf] exit status of a session that was not interrupted
 * @property {(state: State, path: string) => Promise<void>} [finish] called after its report was printed
 */

/**
 * @template State
 * @typedef {{ study: Study<State, any, any>, state: State }} Begun a session
 */

/**
 * A command that conducts a study.
 *
 * @template {StudyName} Name
 * @typedef {object} StudyCommand
 * @property {Name} format
 * @property {() => Promise<Asked<Formats[Name]>>} ask from the arguments and options
 * @property {(record: Formats[Name], isResumed: boolean) => Promise<OpenedStudy<any, Formats[Name]>>} open
 */

/**
 * Conducts a study: asks or resumes, prepares, takes the lock of the host, measures, keeps its record after each
 * result, and publishes what it found.
 *
 * @template {StudyName} Name
 * @param {StudyCommand<Name>} command
 * @param {{ resume?: string, out?: string, wait?: boolean, quiet?: boolean, format: string, full?: boolean }} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 * @throws {import('../lib/errors.js').AssayError} when it cannot be asked, resumed or measured
 */
export async function conductStudy({ format, ask, open }, options, io) {
  const { resume, wait: waits, quiet } = options;
  const kind = findKind(format);
  const resumedPath = resume === undefined ? null : resolve(io.workingPath, resume);
  const read = (/** @type {string} */ path) => readStudy(format, path);
  const asked = resumedPath === null ? await ask() : { record: read(resumedPath), label: '' };
  const isResumed = resumedPath !== null;
  const opened = await open(asked.record, isResumed);
  const { prepare, begin, recordOf = takeState, plan, statusOf, finish } = opened;
  const runsPath = resumedPath ?? findRunsPath(options.out, io);
  const command = resume === undefined ? asked.record.command : formatResume(kind, resume);
  const prepareAll = async () => {
    if (isResumed) await assertSameHost(kind, runsPath, asked.record);
    for (const prepared of await prepare()) {
      if (isResumed) await assertSameAsRuns(kind, runsPath, prepared);
    }
  };
  return prepareThenLock({ command, where: runsPath, waits }, io, prepareAll, async () => {
    const path = resumedPath ?? createStudyDirectory(runsPath, asked.label);
    const shownPath = showPath(path, io.workingPath);
    const announce = makeAnnouncer(io, quiet);
    const say = (/** @type {string} */ line) => announce(line.replaceAll('\u00a0', ' '));
    // Another process may have resumed it while this one waited for the lock.
    const record = isResumed
      ? read(path)
      : { ...asked.record, [STUDIES[format].id]: basename(path) };
    return workInDirectory(kind, { path, shownPath, isResumed, io }, async (keep) => {
      // From here on the directory can be resumed, even if this process is killed.
      writeRecord(kind, path, record);
      let written = record;
      const write = (/** @type {Formats[Name]} */ changed) => {
        if (changed !== written) writeRecord(kind, path, changed);
        written = changed;
      };
      const begun = await begin(record, path);
      write(recordOf(begun.state));
      const line = plan?.(begun.state) ?? null;
      if (line !== null) say(line);
      const { state, results } = await runStudy(begun.study, begun.state, {
        path,
        signal: io.signal,
        say,
        save(current) {
          keep();
          write(recordOf(current));
        },
      });
      await publishStudy(
        format,
        { path, record: recordOf(state), format: printedFormat(options) },
        io,
      );
      await finish?.(state, path);
      if (io.signal.aborted) return EXIT.interrupted;
      return statusOf?.(state, results) ?? EXIT.done;
    });
  });
}

/**
 * @template {StudyName} Name
 * @param {Name} name
 * @param {{ path: string, record: Formats[Name], format: string }} found `format`: of what is printed
 * @param {Io} io
 */
async function publishStudy(name, { path, record, format }, io) {
  const finding = await makeStudyFinding(name, path, record, io);
  await publishFinding(finding, { path, name, owner: findKind(name).owner }, io, format);
}

/** @type {<Record>(state: Record) => Record} */
function takeState(state) {
  return state;
}
