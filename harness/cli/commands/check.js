import { rmSync } from 'node:fs';
import { formatCheck } from '../../../reports/support/terminal-check.js';
import { checkOutputs, runConformance } from '../../run/gate.js';
import { EXIT } from '../../lib/exit-status.js';
import { makeTemporaryDirectory } from '../../lib/files.js';
import { openJobRunner } from '../../run/job-runner.js';
import { PROJECT } from '../../lib/project.js';
import { terminalOf } from '../publish.js';
import { chooseFamily, listFamilies, openContext } from '../../variants/families.js';
import { findRuntimes } from '../../variants/node-runtime.js';
import { parseVariantSpec } from '../../variants/spec.js';
import { resolveVariant } from '../../variants/resolve.js';
import { chooseOperations, makeCells, requireRevision } from '../../run/question/question.js';
import { prepareCorpora } from '../../run/prepare.js';
import { openSandbox } from '../../run/sandbox/sandbox.js';

/** @import { Io } from '../cli.js' */
/** @import { Cell, Difference, Job, ResolvedVariant } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { WorkerOutcome } from '../../run/run-worker.js' */

/** @typedef {(job: Job) => Promise<WorkerOutcome>} RunJob */

/** Of a family that promises the right output and nothing more. */
const NO_CASES = Object.freeze({ passed: 0, failures: [], contract: [] });

/**
 * `just check VARIANT…`: the gate of a comparison, the behaviour contract and the family's own
 * cases, without timing.
 *
 * @param {[string[]]} args
 * @param {{ corpus?: string, build?: string, family?: string, sandbox?: boolean }} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
export async function runCommand([texts], options, io) {
  if (options.build !== undefined) requireRevision(texts);
  const families = await listFamilies(PROJECT.experimentsPath);
  const specs = texts.map(parseVariantSpec);
  const family = chooseFamily(specs, families, options.family, io.workingPath);
  const checks = [];
  for (const spec of specs) {
    const op = (await chooseOperations([spec], family)).join(',');
    checks.push({ spec, cells: await makeCells(family, { ...options, op }) });
  }
  const sandbox = await openSandbox(options.sandbox, io.environment);
  const context = openContext({ families, family, build: options.build }, io);
  const reference = await resolveVariant(parseVariantSpec(family.reference), context);
  /** @type {number} */
  let status = EXIT.done;
  for (const { spec, cells } of checks) {
    const variant = await resolveVariant(spec, context);
    const runtimes = await findRuntimes([], [variant], context);
    const runJob = openJobRunner([], { ...io, sandbox }, runtimes);
    const differences = await findDifferences(variant, { reference, family, cells, runJob });
    const { passed, failures, contract } = family.hasContract
      ? await runConformance(variant, { family, parts: 'all', runJob })
      : NO_CASES;
    const checked = { spec: variant.spec, reference: reference.spec, differences, passed };
    io.stdout.write(formatCheck({ ...checked, failures, contract }, terminalOf(io)));
    const isBroken = contract.some(({ outcome }) => outcome === 'fails');
    if (isBroken || differences.length + failures.length > 0) status = EXIT.wrongBytes;
  }
  return status;
}

/**
 * @param {ResolvedVariant} variant
 * @param {{ reference: ResolvedVariant, family: FoundFamily, cells: Cell[], runJob: RunJob }} against
 * @returns {Promise<Difference[]>}
 */
async function findDifferences(variant, { reference, family, cells, runJob }) {
  const { corpora } = await prepareCorpora({ cells, memory: 'none' });
  const outputPath = makeTemporaryDirectory('check');
  try {
    const question = { family, reference, variants: [variant], cells, corpora, outputPath, runJob };
    const { differences } = await checkOutputs(question);
    return differences;
  } finally {
    rmSync(outputPath, { recursive: true });
  }
}
