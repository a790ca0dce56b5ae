/** The result of a trend, with the commands that continue from its changes. */

import { describeTrend } from '../../reports/content/trend.js';
import { splitPin } from '../lib/words.js';
import { formatResume, TREND } from '../studies/study.js';
import { formatQuestion } from './invocation.js';
import { BISECT } from './commands/bisect.js';
import { COMPARE } from './commands/compare.js';
import { showPath } from './terminal.js';

/** @import { Io } from './cli.js' */
/** @import { SeriesChange, Trend } from '../formats/types.ts' */
/** @import { Finding } from './publish.js' */

/** How the trend measured does not matter for what follows. */
const EXCEPT = ['seed', 'processes', 'placements', 'explain', 'budget', 'schedule'];

/** The package or checkout that has versions between two variants. */
const HISTORY = /^(?:npm|git):.+(?=@)/;

/**
 * @param {string} path absolute, of the directory of the trend
 * @param {Trend} trend
 * @param {Io} io
 * @returns {Finding}
 */
export function trendFinding(path, trend, io) {
  const shownPath = showPath(path, io.workingPath);
  const document = describeTrend(trend, {
    path: shownPath,
    commandFor: (cellIds, change) => formatContinuation(trend, cellIds, change),
    resume: trend.ended === 'complete' ? null : formatResume(TREND, shownPath),
  });
  return { document, data: trend };
}

/**
 * @param {Pick<Trend, 'question'>} trend
 * @param {string[]} cellIds
 * @param {SeriesChange} change
 * @returns {string} a comparison of the two neighbours, which explains the difference; a bisection where something in
 *   between became slower and was not measured, for one of the cells
 */
function formatContinuation({ question }, cellIds, { before, after, step, unmeasured }) {
  const cells = question.cells.filter(({ id }) => cellIds.includes(id));
  const asked = { ...question, cells };
  const [{ operation, corpus }] = cells;
  const [own, next] = [before, after].map((spec) => splitPin(spec).spec);
  const canBisect = own !== next && HISTORY.exec(own)?.[0] === (HISTORY.exec(next)?.[0] ?? null);
  if (canBisect && unmeasured > 0 && step.estimate > 1) {
    const args = [before, after, operation, corpus];
    return formatQuestion(BISECT, asked, { args, except: EXCEPT });
  }
  return formatQuestion(COMPARE, asked, { args: [before, after], except: EXCEPT });
}
