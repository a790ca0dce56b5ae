import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareCorpus } from '../../corpora/support/prepare.js';
import { showInvisible } from '../../reports/support/escape.js';
import { checkOutputs } from '../check-outputs.js';
import { MachineError } from '../errors.js';
import { EXIT } from '../exit-status.js';
import { FORMAT_VERSION } from '../format-version.js';
import { PROJECT } from '../project.js';
import { listFamilies } from '../resolve/families.js';
import { parseVariantSpec } from '../resolve/parse-variant-spec.js';
import { chooseFamily, resolveVariant } from '../resolve/resolve-variant.js';
import { openJobRunner } from '../run-comparison.js';
import { makeCells } from './make-question.js';

/** @import { Io } from '../cli.js' */
/** @import { ConformanceReport, Job, ResolvedVariant } from '../types.ts' */
/** @import { FoundFamily } from '../resolve/families.js' */
/** @import { WorkerOutcome } from '../run-worker.js' */

/** Failures printed of one variant; the rest is counted. */
const MAX_SHOWN = 10;

/** @typedef {(job: Job) => Promise<WorkerOutcome>} RunJob */

/**
 * `just check VARIANT…`: the gate of a comparison and the family's own cases, without timing.
 *
 * @param {[string[]]} args
 * @param {{ corpus?: string, family?: string }} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
export async function runCommand([texts], options, io) {
  const families = await listFamilies(PROJECT.experimentsPath);
  const specs = texts.map(parseVariantSpec);
  const family = chooseFamily(specs, families, options.family);
  const context = { families, family, ...PROJECT, workingPath: io.workingPath };
  const reference = await resolveVariant(parseVariantSpec(family.reference), context);
  const runJob = openJobRunner([], io);
  /** @type {number} */
  let status = EXIT.done;
  for (const spec of specs) {
    const variant = await resolveVariant(spec, context);
    const problems = [
      ...(await findDifferences(variant, { reference, family, options, runJob })),
      ...(await findUnmetCases(variant, family, runJob)),
    ];
    io.stdout.write(formatResult(variant.spec, problems));
    if (problems.length > 0) status = EXIT.wrongBytes;
  }
  return status;
}

/**
 * @param {ResolvedVariant} variant
 * @param {{ reference: ResolvedVariant, family: FoundFamily, options: { corpus?: string }, runJob: RunJob }} against
 * @returns {Promise<string[]>}
 */
async function findDifferences(variant, { reference, family, options, runJob }) {
  const cells = makeCells(family, options);
  const corpora = [];
  for (const label of new Set(cells.map(({ corpus }) => corpus))) {
    corpora.push(await prepareCorpus(label, { directory: PROJECT.corporaPath }));
  }
  const outputPath = mkdtempSync(join(tmpdir(), 'assay-check-'));
  try {
    const question = { family, reference, variants: [variant], cells, corpora, outputPath, runJob };
    const { differences } = await checkOutputs(question);
    return differences.map(
      ({ cellId, document, path, expected, found }) =>
        `${cellId}, document ${document}, ${path}: expected ${expected}, found ${found}`,
    );
  } finally {
    rmSync(outputPath, { recursive: true });
  }
}

/**
 * @param {ResolvedVariant} variant
 * @param {FoundFamily} family
 * @param {RunJob} runJob
 * @returns {Promise<string[]>}
 */
async function findUnmetCases({ spec, modulePath }, family, runJob) {
  const outcome = await runJob({
    formatVersion: FORMAT_VERSION,
    id: `conformance/${spec}`,
    kind: 'conformance',
    family: family.name,
    familyPath: family.path,
    variant: { spec, modulePath },
  });
  if ('failure' in outcome) {
    const { detail, lastLines } = outcome.failure;
    throw new MachineError([`the check of ${spec} ${detail}`, ...lastLines].join('\n  '));
  }
  const { failures } = /** @type {ConformanceReport} */ (outcome.report);
  return failures.map(
    ({ name, expected, found }) => `${name}: expected ${expected}, found ${found}`,
  );
}

/**
 * @param {string} spec
 * @param {string[]} problems
 * @returns {string}
 */
function formatResult(spec, problems) {
  if (problems.length === 0) return `${spec}: same as the reference in every case\n`;
  const shown = problems.slice(0, MAX_SHOWN).map((text) => `  ${showInvisible(text)}`);
  const rest = problems.length > MAX_SHOWN ? [`  … and ${problems.length - MAX_SHOWN} more`] : [];
  return [`${spec}: ${problems.length} differences`, ...shown, ...rest, ''].join('\n');
}
