import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { EXIT, UsageError } from '../../lib/errors.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT, RUNS } from '../../lib/project.js';
import { omitUndefined } from '../../lib/records.js';
import { quoteWords } from '../../lib/words.js';
import { formatInvocation } from '../invocation.js';
import {
  CHECK,
  COMPARISON_FORMAT,
  COMPARISON_OPTIONS,
  flag,
  FULL,
  HOST_OPTIONS,
  isForTerminal,
  option,
  printedFormat,
  SHARD,
  word,
} from '../options.js';
import { showPath } from '../terminal.js';
import { writeLine, writeNote } from '../../lib/messages.js';

/** @import { Io } from '../cli.js' */
/** @import { Question } from '../../formats/types.ts' */
/** @import { JudgedRun } from '../publish.js' */
/** @import { Session } from '../../run/run.js' */
/** @import { CommandDeclaration, Invocation, OptionValues } from '../types.ts' */

const OPTIONS = {
  ...COMPARISON_OPTIONS,
  shard: SHARD,
  resume: option('--resume <run>', 'resume an interrupted run', word, {
    transient: true,
    alone: {
      but: ['budget', 'check', 'full', 'format', 'wait', 'quiet', 'fleet', 'record'],
      because: 'a resumed run keeps its original options',
    },
  }),
  reuse: flag(
    '--reuse',
    'instead of measuring, print an earlier run of the same code on this host, if there is one',
    { transient: true, conflicts: ['shard'] },
  ),
  fleet: option('--fleet <url>', 'measure on the hosts that work for this broker', word, {
    transient: true,
    conflicts: ['shard', 'reuse'],
  }),
  record: flag('--record', `add the result to the result store (see ${PROGRAM} history)`, {
    transient: true,
    conflicts: ['memoryOnly', 'reuse', 'rank', 'shard'],
  }),
  check: CHECK,
  full: FULL,
  format: COMPARISON_FORMAT,
  ...HOST_OPTIONS,
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'find out which variants are faster, by how much, and how sure that is',
  arguments: [['[variants...]', 'specs of the baseline and of one or more candidates, or to rank']],
  options: OPTIONS,
  notes: `
A variant spec is a built-in name (see ${PROGRAM} variants), npm:PACKAGE@1.2.3,
REGISTRY:PACKAGE@1.2.3, git:DIRECTORY@REVISION or path:DIRECTORY. A built-in name
may set axes: linked-list+object-id=packed. Of a package, npm:PACKAGE@^1.2 (a range),
npm:PACKAGE (the newest) and npm:./package-1.2.3.tgz (an archive) are looked up once,
and the report names the version. Any of them may be pinned to a runtime:
generator@node=22, generator@bun=1.4.
A corpus may have a count and say where its documents come from: comments:100,
flat@deserialized, flat@literal.
--budget is for everything after the correctness check: times, memory, other
placements of the code and profiles. At most a fifth is kept for placements and a
fifth for profiles, where there is something to confirm or to explain. With --memory,
times take up to half of the rest, then memory what is left, and then times whatever
memory leaves. A job that would end too late is not started. The report says what is
missing, and --resume measures it.
With --bench FILE, the cases of a benchmark file (tinybench, vitest, mitata, benchmark,
bench-node, cronometro, or a module that exports functions) are measured instead of
operations of a family, in processes of Assay; see docs/benchmark-files.md.
With --cold, fresh processes time their first call, their first 10 and first 100
calls, and loading together with the first call. Memory, profiles and code placement
need warm code and are left out. With --load, fresh processes only load the variant,
and the report has the size of its code, bundled, minified and compressed.
With --reuse, the newest earlier run of the same question, code, documents, versions
and host is printed, with its age and path, and nothing is measured if there is one.

Each candidate is compared with the first variant, which is measured once for all.
With --rank there is no baseline: the result is which variants are the fastest,
and how much slower the others are at least. Memory and profiles need a baseline.
With --rank and --family alone, all variants of the family are ranked, for eight
minutes unless --budget says otherwise.

Examples:
  ${PROGRAM} compare generator linked-list
  ${PROGRAM} compare recursive generator indexed linked-list
  ${PROGRAM} compare generator indexed linked-list --rank
  ${PROGRAM} compare --rank --family interchange       all variants of a family
  ${PROGRAM} compare npm:bson@7.2.0 npm:bson@7.3.1 --op serialize
  ${PROGRAM} compare npm:bson@7.3.1 path:../js-bson --corpus flat,deep@literal --mei 2
  ${PROGRAM} compare --pr ../js-bson           HEAD against where it branched off
  ${PROGRAM} compare npm:devalue@5.0.0 npm:devalue@5.1.0      any package with two functions
  ${PROGRAM} compare --pr . --bench bench/encode.js
  ${PROGRAM} compare generator linked-list --runtime node@24,bun@1.4,deno@2.9
  ${PROGRAM} compare generator@node=20 generator@node=24
  ${PROGRAM} compare linked-list string-backed --corpus comments:1000 --memory
  ${PROGRAM} compare generator linked-list --cold       first calls, without a warm-up
  ${PROGRAM} compare recursive recursive       the same twice: is this host reliable?
  ${PROGRAM} compare --resume ${RUNS}/RUN
  ${PROGRAM} compare generator linked-list --quiet --format json >verdict.json
  ${PROGRAM} compare generator linked-list --format benchstat >run.txt

Exit status: 0 done, 1 slower (with --check), 2 usage, 3 wrong bytes,
4 a worker failed, 130 interrupted.`,
  run,
};

/** What formats a `just compare` for another command. */
export const COMPARE = { name: 'compare', options: OPTIONS };

/**
 * @param {[string[]]} args
 * @param {OptionValues<typeof OPTIONS>} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<number>} exit status
 */
async function run([variants], options, io, invocation) {
  if (options.resume !== undefined) return resume(options.resume, options, io, invocation);
  // Commander gives an option whose value is left out as true.
  if (/** @type {unknown} */ (options.bench) === true) {
    const { describeBenchmarks } = await import('../bench.js');
    describeBenchmarks(options.pr, io);
    return EXIT.done;
  }
  const { askComparison } = await import('../comparison.js');
  const { citeRun, findEarlierRun } = await import('../earlier-run.js');
  const { findRunsPath, openSession } = await import('../session.js');
  const { prepareComparison } = await import('../../run/prepare.js');
  const { createRun, findSessionRecorders } = await import('../../run/run.js');
  const { measuredCells } = await import('../../stats/parts.js');
  const { listVariants } = await import('../../stats/plan.js');
  const { hasProgram } = await import('../../variants/build-family.js');

  if (options.rank === true && options.check === true) {
    throw new UsageError(
      '--check looks for candidates slower than a baseline; a ranking has none',
      {
        remedy: 'leave out --check or --rank',
      },
    );
  }
  const session = openSession(io, options);
  const usage = { command: 'compare', example: `${PROGRAM} compare generator linked-list` };
  const { families, family, question: plan } = await askComparison(variants, options, io, usage);
  const question = options.fleet === undefined ? plan : planForHosts(plan, options);
  if (options.shard !== undefined) measuredCells({ question, part: options.shard });
  const command = formatInvocation(invocation, {
    args: listVariants(question),
    question,
  });
  const runsPath = findRunsPath(options.out, io);
  const prepare = async () => {
    const isProgram = await hasProgram(family);
    const { recorders, states } = await findSessionRecorders(question, opened.session, isProgram);
    const prepared = await prepareComparison(question, { families, family, io });
    const earlier = options.reuse === true ? await findEarlierRun(prepared, runsPath, io) : null;
    return { recorders, states, prepared, earlier };
  };
  const request = { command, where: runsPath, waits: options.wait };
  const opened = await openFleetSession(options, randomUUID(), session, io);
  try {
    return await opened.prepareThenLock(request, io, prepare, async (ready) => {
      const { recorders, states, prepared, earlier } = ready;
      if (earlier !== null) {
        return citeRun(earlier, { check: options.check, format: printedFormat(options) }, io);
      }
      const run = await createRun(
        {
          ...prepared,
          command,
          runsPath,
          recorderStates: states,
          ...omitUndefined({ part: options.shard }),
        },
        { ...opened.session, recorders },
      );
      return conclude(run, options, io);
    });
  } finally {
    await opened.close();
  }
}

/**
 * @param {Pick<OptionValues<typeof OPTIONS>, 'fleet'>} options
 * @param {string} id of the run at the broker
 * @param {Omit<Session, 'recorders'>} session
 * @param {Io} io
 * @returns {Promise<{
 *   session: Omit<Session, 'recorders'>,
 *   close: () => Promise<void>,
 *   prepareThenLock: typeof import('../../host/lock.js').prepareThenLock,
 * }>} without a lock where other hosts measure: this one may be one of them
 */
async function openFleetSession({ fleet: url }, id, session, io) {
  const { prepareThenLock } = await import('../../host/lock.js');
  if (url === undefined) return { session, close: async () => {}, prepareThenLock };
  const { openBroker } = await import('../../studies/fleet/broker.js');
  const { openFleet } = await import('../../studies/fleet/submit.js');
  const note = (/** @type {string} */ text) => writeNote(io.stderr, text);
  const broker = await openBroker(url, io, note);
  return {
    session: { ...session, elsewhere: openFleet(broker, id, note) },
    close: broker.close,
    prepareThenLock: async (_request, _io, prepare, measure) => measure(await prepare()),
  };
}

/**
 * @param {Question} question
 * @param {{ schedule?: Question['schedule'] | 'sequential' | undefined }} options as typed
 * @returns {Question} without an early look, and one job at a time unless pairs are asked for
 */
function planForHosts({ earlyLook: _, schedule, ...question }, options) {
  const isPaired = options.schedule === 'paired' && schedule !== undefined;
  return { ...question, ...(isPaired ? { schedule } : {}) };
}

/**
 * @param {string} path as typed
 * @param {OptionValues<typeof OPTIONS>} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<number>} exit status
 */
async function resume(path, options, io, invocation) {
  const { openSession } = await import('../session.js');
  const { prepareResume } = await import('../../run/prepare.js');
  const { resumeRun } = await import('../../run/run.js');
  const { readManifest } = await import('../../run/store.js');

  const command = formatInvocation(invocation, { changes: { resume: path, budget: null } });
  const where = resolve(io.workingPath, path);
  const { fleet: id } = readManifest(where);
  if ((id === undefined) !== (options.fleet === undefined)) {
    throw new UsageError(
      `'${path}' was measured ${id === undefined ? 'on one host' : 'by a fleet'}`,
      {
        remedy: `${id === undefined ? 'leave out' : 'add'} --fleet`,
      },
    );
  }
  const opened = await openFleetSession(options, id ?? '', openSession(io, options), io);
  const request = { command, where, waits: options.wait };
  const prepare = () => prepareResume(path, io);
  try {
    return await opened.prepareThenLock(request, io, prepare, async (prepared) =>
      conclude(
        await resumeRun(where, options.budget ?? null, prepared, opened.session),
        options,
        io,
      ),
    );
  } finally {
    await opened.close();
  }
}

/**
 * @param {JudgedRun} judged
 * @param {Pick<OptionValues<typeof OPTIONS>, 'check' | 'full' | 'format' | 'record'>} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function conclude(judged, { check, record, ...options }, io) {
  const { findExitStatus } = await import('../comparison.js');
  const { publishRun, recordRun, writeReports } = await import('../publish.js');
  const format = printedFormat(options);
  // After an interrupt the table stays in the terminal, where a report would push it out of view.
  const isTableShown = io.stderr.wasStatusKept?.() === true && io.stdout.isTTY === true;
  if (isTableShown && format === 'terminal') await writeReports(judged, io);
  else await publishRun(judged, io, format);
  if (judged.verdict.ended === 'interrupted' && (isTableShown || !isForTerminal(format))) {
    const run = quoteWords([showPath(judged.path, io.workingPath)]);
    writeLine(io.stderr, `interrupted; resume with: ${PROGRAM} compare --resume ${run}`);
    writeLine(io.stderr, `show what is known: ${PROGRAM} report ${run}`);
  }
  // What was interrupted is recorded when it is resumed.
  if (record === true && judged.verdict.ended !== 'interrupted') {
    await recordRun(judged, PROJECT.historyPath, io);
  }
  return findExitStatus(judged.verdict, check === true);
}
