/** What studies found, as documents, with the commands that continue from there. */

import { splitPin } from '../lib/words.js';
import { LIMITS } from '../run/limits.js';
import { findStudy } from '../run/store.js';
import { findKind, formatResume, readStudy } from '../studies/study.js';
import { BISECT } from './bisect-options.js';
import { COMPARE } from './commands/compare.js';
import { formatQuestion } from './invocation.js';
import { showPath } from './terminal.js';

/** @import { Io } from '../lib/io.ts' */
/** @import { Bisection, Calibration, Formats, Question, SeriesChange, Trend } from '../formats/types.ts' */
/** @import { StudyName } from '../studies/study.js' */
/** @import { Fact } from '../../reports/document/model.ts' */
/** @import { Finding } from './publish.js' */

/**
 * Makes the document of a study. `resume`: the command that resumes it.
 *
 * @template {StudyName} Name
 * @callback MakeFinding
 * @param {Formats[Name]} record
 * @param {{ path: string, resume: string }} place `path`: of its directory, as a user would type it
 * @returns {Promise<Finding>}
 */

/**
 * How each kind of study is rendered. Content is loaded on demand, because plots need a large library.
 *
 * @type {{ [Name in StudyName]: MakeFinding<Name> }}
 */
const FINDINGS = {
  async bisection(record, { path, resume }) {
    const { describeBisection } = await import('../../reports/content/bisection.js');
    const { requireRegression } = await import('../studies/bisect/step.js');
    requireRegression(record, path);
    const document = describeBisection(record, {
      path,
      next: formatNext(record),
      resume: record.ended === 'interrupted' ? resume : null,
    });
    return { document, data: record, hasPage: false };
  },
  async trend(record, { path, resume }) {
    const { describeTrend } = await import('../../reports/content/trend.js');
    const document = describeTrend(record, {
      path,
      commandFor: (cellIds, change) => formatContinuation(record, cellIds, change),
      resume: record.ended === 'complete' ? null : resume,
    });
    return { document, data: record };
  },
  async reproduction(record, { path, resume }) {
    const { describeReproduction } = await import('../../reports/content/reproduction.js');
    const command = record.ended === 'complete' ? null : resume;
    return { document: describeReproduction(record, path, command), data: record };
  },
  async calibration(record, { path, resume }) {
    const { describeCalibration } = await import('../../reports/content/calibration.js');
    return { document: describeCalibration(record, path, resume), data: record };
  },
  async peers(record, { path }) {
    const { describePeers } = await import('../../reports/content/peers.js');
    return { document: describePeers(record, path), data: record };
  },
};

/**
 * @template {StudyName} Name
 * @param {Name} format
 * @param {string} path absolute, of the directory of the study
 * @param {Formats[Name]} record
 * @param {Io} io
 * @returns {Promise<Finding>}
 * @throws {import('../lib/errors.js').AssayError} for a bisection without a regression
 */
export async function makeStudyFinding(format, path, record, io) {
  const shownPath = showPath(path, io.workingPath);
  const place = { path: shownPath, resume: formatResume(findKind(format), shownPath) };
  return FINDINGS[format](record, place);
}

/**
 * Reads what a study found. The trials of a calibration are judged again.
 *
 * @param {string} path absolute
 * @param {Io} io
 * @returns {Promise<Finding | null>} null where it is not the directory of a study
 */
export async function readStudyFinding(path, io) {
  const format = findStudy(path);
  if (format === null) return null;
  const record = format === 'calibration' ? await judgeAgain(path) : readStudy(format, path);
  return makeStudyFinding(format, path, record, io);
}

/** @type {(path: string) => Promise<Calibration>} */
async function judgeAgain(path) {
  const { analyseCalibration } = await import('../stats/calibration/calibration.js');
  const { readCalibration } = await import('../studies/calibration/store.js');
  const { calibration: head, ...measured } = await readCalibration(path);
  const isMeasured = measured.trials.length + measured.placementObservations.length > 0;
  // A published calibration.json comes without the journals: its results are shown as they are.
  return isMeasured ? analyseCalibration({ head, ...measured }) : head;
}

/** How a study measured does not matter for the commands that continue from it. */
const EXCEPT = ['seed', 'processes', 'placements', 'explain', 'budget'];

/**
 * @param {Bisection} bisection
 * @returns {Fact | null} the command that compares the neighbours it found, and explains the difference; or that searches
 *   between those that are left, with more processes
 */
function formatNext({ ended, lastGood, firstBad, cell, question }) {
  switch (ended) {
    case 'found':
      return [
        'Why',
        {
          command: formatQuestion(COMPARE, question, {
            args: [lastGood, firstBad],
            except: EXCEPT,
          }),
        },
      ];
    case 'not-settled': {
      const processes = Math.min(
        2 * question.looks[question.looks.length - 1],
        LIMITS.processes.to,
      );
      const args = [lastGood, firstBad, cell.operation, cell.corpus];
      const asked = { ...question, looks: [processes] };
      return ['Continue', { command: formatQuestion(BISECT, asked, { args, except: ['seed'] }) }];
    }
    default:
      return null;
  }
}

/** The package or checkout that has versions between two variants. */
const HISTORY = /^(?:npm|git):.+(?=@)/;

/**
 * @param {Pick<Trend, 'question'>} trend
 * @param {string[]} cellIds
 * @param {SeriesChange} change
 * @returns {string} a comparison of the two neighbours, which explains the difference; a bisection where something in
 *   between became slower and was not measured, for one of the cells
 */
function formatContinuation({ question }, cellIds, { before, after, step, unmeasured }) {
  const cells = question.cells.filter(({ id }) => cellIds.includes(id));
  /** @type {Question} */
  const asked = { ...question, cells };
  const [{ operation, corpus }] = cells;
  const [own, next] = [before, after].map((spec) => splitPin(spec).spec);
  const canBisect = own !== next && HISTORY.exec(own)?.[0] === (HISTORY.exec(next)?.[0] ?? null);
  const except = [...EXCEPT, 'schedule'];
  if (canBisect && unmeasured > 0 && step.estimate > 1) {
    return formatQuestion(BISECT, asked, { args: [before, after, operation, corpus], except });
  }
  return formatQuestion(COMPARE, asked, { args: [before, after], except });
}
