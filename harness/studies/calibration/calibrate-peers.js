import { basename, join } from 'node:path';
import { prepareCorpus } from '../../../corpora/support/prepare.js';
import { openRecorderHost } from '../../profiling/recorders-found.js';
import { describeEnvironment } from '../../host/environment.js';
import { EXIT } from '../../lib/exit-status.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { describeAssay, PROJECT } from '../../lib/project.js';
import { assertSameExperiment } from '../../run/identity.js';
import { findCosts } from './measure-costs.js';
import { openBench } from './trial.js';
import { comparePeers } from './peers/compare.js';
import { PEERS } from '../study.js';

/** @import { Io } from '../../cli/cli.js' */
/** @import { Session } from '../../run/run.js' */
/** @import { PeersComparison, Question } from '../../formats/types.ts' */
/** @import { Compared } from './peers/compare.js' */
/** @import { Peer } from './peers/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */

/** A/A comparisons of a tool for each one with a cost: false alarms are the first thing to know. */
const BLANKS = 2;

/**
 * @typedef {object} PeersTask
 * @property {Question} question of one cell; both of its sides are the variant
 * @property {FoundFamily} family
 * @property {FoundFamily[]} families
 * @property {Peer[]} peers
 * @property {boolean} isBlank whether nothing but A/A comparisons is wanted
 * @property {number} forMs
 * @property {number} budgetSeconds of one comparison
 * @property {number} seed
 * @property {string} path absolute, of its directory
 * @property {string} command as typed
 * @property {(name: string) => string} tellCommand that runs one tool alone
 * @property {Omit<Session, 'recorders'>} session
 * @property {(path: string, peers: PeersComparison) => Promise<void>} publish writes and prints the reports
 * @property {PeersComparison | null} stored what is resumed: its costs, its command, its trials
 * @property {(peers: PeersComparison) => unknown} save writes peers.json
 */

/**
 * Holds other benchmark tools against Assay on the same task, and tells what each said of comparisons
 * whose truth is known.
 *
 * @param {PeersTask} task
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
export async function calibratePeers(task, io) {
  const {
    question,
    family,
    families,
    path,
    command,
    peers,
    budgetSeconds,
    seed,
    forMs,
    stored,
    save,
  } = task;
  const startMs = performance.now();
  const createdAt = new Date().toISOString();
  const environment = describeEnvironment({ variables: io.environment });
  const assay = describeAssay();
  if (stored !== null) assertSameExperiment(stored, { environment, assay }, PEERS.resumed);
  const { session, publish } = task;
  const bench = await openBench(
    { question, family, families, outputPath: join(path, 'artefacts') },
    session,
    io,
  );
  const [cell] = question.cells;
  const earlier = stored?.costs ?? [];
  const onMeasure = () => session.onProgress({ step: `costs of ${cell.id}` });
  const costs = task.isBlank
    ? earlier
    : await findCosts({ mode: 'default', cell, forMs, earlier, onMeasure }, bench, session);
  /** @param {Compared} compared  @returns {PeersComparison} */
  const describe = (compared) => ({
    formatVersion: FORMAT_VERSION,
    id: basename(path),
    createdAt: stored?.createdAt ?? createdAt,
    command: stored?.command ?? command,
    wallMs: (stored?.wallMs ?? 0) + performance.now() - startMs,
    assay,
    environment,
    variant: question.baseline,
    cell,
    budgetSeconds,
    seed,
    costs,
    ...compared,
  });
  const compared = await comparePeers({
    peers,
    bench,
    cell,
    corpus: await prepareCorpus(cell.corpus, { directory: PROJECT.corporaPath }),
    costs,
    blanks: BLANKS,
    budgetSeconds,
    seed,
    isOver: () => performance.now() - startMs > forMs,
    earlier: stored,
    keep: (sofar) => void save(describe(sofar)),
    host: openRecorderHost(io),
    signal: io.signal,
    onProgress: session.onProgress,
    tellCommand: task.tellCommand,
  });
  if (compared.trials.length === 0 && !io.signal.aborted) {
    io.stderr.write(
      'note: the costs took all of the time; give more with --for, or leave them out with --only false-positives\n',
    );
  }
  await publish(path, describe(compared));
  return io.signal.aborted ? EXIT.interrupted : EXIT.done;
}
