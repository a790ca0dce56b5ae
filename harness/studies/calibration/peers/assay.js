import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FormatError, MachineError } from '../../../lib/errors.js';
import { identifyAssay, PROJECT } from '../../../lib/project.js';
import { parseJson } from '../../../lib/files.js';
import { runTool } from '../../../host/tools.js';
import { useDirectory } from '../../../profiling/recorders/support/recording.js';
import { VERDICTS } from '../../../stats/verdicts.js';

/** @import { Peer, PeerContext, PeerFinding, PeerTask, ReadVerdict } from './types.ts' */

const GRACE_MS = 120_000;
/** Verdicts when the arms were given in reverse order. */
const SWAPPED = /** @type {const} */ ({ slower: 'faster', faster: 'slower' });

/** Assay, run as a user would. */
export const peer = makeAssayPeer(join(PROJECT.assayPath, 'harness', 'assay.js'));

/**
 * Assay as a program. The arm that comes first is given as the baseline.
 *
 * @param {string} program absolute path
 * @returns {Peer}
 */
export function makeAssayPeer(program) {
  return {
    name: 'assay',
    version: identifyAssay().version,
    rule: 'its verdict is slower or faster: by default the interval excludes 1 and reaches beyond 3 %',
    async probe() {
      return { available: true, detail: 'Assay itself' };
    },
    async open(_task, context) {
      return {
        version: identifyAssay().version,
        compare: (task) => compareArms(program, task, context),
      };
    },
  };
}

/** @type {(program: string, task: PeerTask, context: PeerContext) => Promise<PeerFinding>} */
function compareArms(program, task, { host, signal }) {
  const { variants, operation, corpus, order, budgetMs, seed } = task;
  return useDirectory(async (directory) => {
    const specs = order.map((arm) => variants[arm].spec);
    const cell = ['--op', operation, '--corpus', corpus.label];
    const limits = ['--budget', String(budgetMs / 1000), '--explain', 'none', '--placements', '0'];
    const runsPath = join(directory, 'runs');
    const rest = ['--seed', String(seed), '--out', runsPath];
    await runTool(process.execPath, [program, 'compare', ...specs, ...cell, ...limits, ...rest], {
      environment: host.environment,
      // The calibration holds the lock of this host, and this comparison is part of it.
      variables: {
        ASSAY_LOCK_DIRECTORY: join(directory, 'lock'),
        ASSAY_CACHE_DIRECTORY: PROJECT.statePath,
      },
      timeoutMs: budgetMs + GRACE_MS,
      name: 'assay',
      ...(signal === undefined ? {} : { signal }),
    });
    const [run] = await readdir(runsPath);
    const text = await readFile(join(runsPath, run, 'verdict.json'), 'utf8');
    return readAssay(text, order);
  });
}

/**
 * @param {string} text verdict.json of one cell
 * @param {PeerTask['order']} order in which the arms were given
 * @returns {PeerFinding}
 * @throws {FormatError} when it is not a verdict
 * @throws {MachineError} when it has no ratio
 */
export function readAssay(text, order) {
  const remedy = 'check whether another version of Assay wrote this verdict';
  const { cells } = /** @type {Partial<ReadVerdict>} */ (parseJson(text, 'verdict.json', remedy));
  const cell = cells?.[0];
  if (cell === undefined) throw new FormatError('verdict.json has no cell', { remedy });
  const { verdict, effect } = cell;
  if (effect === null) throw new MachineError(`assay measured no ratio: ${verdict}`);
  const isSwapped = order[0] === 'candidate';
  const { finding } = VERDICTS[verdict];
  const conclusion = finding === null || finding === 'same' ? 'no difference' : finding;
  return {
    ratio: isSwapped ? 1 / effect.ratio.estimate : effect.ratio.estimate,
    conclusion: isSwapped && conclusion !== 'no difference' ? SWAPPED[conclusion] : conclusion,
  };
}
