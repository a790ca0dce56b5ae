/** Benchmark files in the place of a family: `compare --bench`. */

import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { MachineError, UsageError } from '../lib/errors.js';
import { writeLine, writeNote } from '../lib/messages.js';
import { explainTypeScript } from '../lib/typescript.js';
import { formatCommand } from '../lib/program.js';
import { describeJob, openJobRunner } from '../run/jobs.js';
import { openSandbox } from '../run/sandbox.js';
import {
  chooseCases,
  collectBenchmarks,
  compareLaid,
  isBuilt,
  writeBenchFamily,
} from '../variants/bench/family.js';
import { findBenchmarks } from '../variants/bench/find-files.js';
import { STAND_INS, findTree } from '../variants/bench/tree.js';
import { loadFamily, openContext } from '../variants/families.js';
import { askGit } from '../variants/git.js';
import { findPackageRoot } from '../variants/package-entry.js';
import { resolveVariant } from '../variants/resolve.js';
import { findRuntime, findRuntimes } from '../variants/runtimes.js';
import { parseVariantSpec } from '../variants/spec.js';

/** @import { BenchFile } from '../variants/bench/family.js' */
/** @import { BenchFiles, ListJob, ListReport, Question, ResolvedVariant, VariantSpec } from '../formats/types.ts' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { Io } from './cli.js' */

/**
 * What is asked of benchmark files.
 *
 * @typedef {object} BenchOptions
 * @property {string[]} bench as typed
 * @property {string[]} [benchArgs]
 * @property {string} [build]
 * @property {string} [asOf]
 * @property {boolean} [sandbox]
 * @property {string[]} [runtime]
 * @property {string[]} [node]
 */

/**
 * Makes the family of benchmark files: builds the variants, has the files define their cases in a process of each, and
 * keeps those that can be measured. Files are those of the last variant, and run in the trees of all.
 *
 * @param {string[]} texts specs of the variants
 * @param {BenchOptions} options
 * @param {{ families: FoundFamily[], io: Io }} context
 * @returns {Promise<{ family: FoundFamily, bench: NonNullable<Question['bench']> }>}
 * @throws {UsageError} when there is no such file, or it has no case that can be measured
 */
export async function askBenchmarks(texts, options, { families, io }) {
  const specs = texts.map(parseVariantSpec);
  const { build, asOf } = options;
  const plain = makePlainFamily(io);
  const context = openContext({ families, family: plain, build, asOf }, io);
  /** @type {ResolvedVariant[]} */
  const variants = [];
  for (const spec of specs) variants.push(await resolveVariant(requireTree(spec), context));
  const trees = variants.map(({ modulePath }) => findTree(modulePath));
  const top = /** @type {string} */ (trees.at(-1));
  const found = options.bench.map((typed) =>
    findFile(typed, { top, spec: /** @type {VariantSpec} */ (specs.at(-1)), io }),
  );
  const files = found.map((file) => file.path);
  const entries = variants.map(({ modulePath }, index) =>
    relative(trees[index], realpathSync(modulePath)),
  );
  const path = await collectBenchmarks(found, { trees, entries }, context);
  const root = findPackageRoot(join(top, files[0])) ?? top;
  /** @type {BenchFiles} */
  const bench = {
    path,
    files,
    directory: root.startsWith(top + sep) ? relative(top, root) : '.',
    args: options.benchArgs ?? [],
  };
  const notes = found
    .filter(isBuilt)
    .map((file) => `each variant runs its own ${file.path}, a build`);
  const owner = found.every((file) => file.top === top) ? texts.at(-1) : 'the current directory';
  for (const [index, tree] of trees.entries()) {
    const other = compareLaid(path, tree, files);
    if (other === null) continue;
    notes.push(`${texts[index]} has ${other}: what is measured with it is that of ${owner}`);
  }
  const measured = { ...plain, bench };
  const laid = [];
  for (const spec of specs) laid.push(await resolveVariant(spec, { ...context, family: measured }));
  const sandbox = await openSandbox(options.sandbox === true, io.environment);
  const [wanted] = [
    ...(options.runtime ?? []),
    ...(options.node ?? []).map((one) => `node@${one}`),
  ];
  const cell = wanted === undefined ? {} : { runtime: (await findRuntime(wanted, context)).name };
  const runtimes = await findRuntimes([cell], laid, context);
  const runJob = openJobRunner([], { ...io, sandbox }, runtimes);
  /** @type {ListReport[]} */
  const reports = [];
  const last = /** @type {ResolvedVariant} */ (laid.at(-1));
  // The last one twice, to see what differs from process to process.
  for (const variant of [...laid, last]) {
    const job = describeJob(`list/${variant.spec}`, { variant, family: measured }, cell);
    reports.push(await listCases({ ...job, kind: 'list' }, runJob));
  }
  const { chosen, left } = chooseCases(reports, [...texts, last.spec]);
  if (chosen.length === 0) {
    const typeScript = explainTypeScript(left.join(' '));
    if (typeScript !== null) {
      const { remedy } = typeScript;
      throw new UsageError(`${files.join(', ')}: ${typeScript.problem}`, { remedy });
    }
    const wantsArguments =
      bench.args.length === 0 && Object.keys(reports[0].failures).length > 0
        ? ", or give the file the arguments that it wants: --bench-args 'a b'"
        : '';
    throw new UsageError(
      `nothing in ${files.join(', ')} can be measured: ${left.join('; ') || 'it has no case'}`,
      {
        quoted: Object.values(Object.assign({}, ...reports.map(({ printed }) => printed))).flat(),
        remedy: `name a file that defines benchmarks with one of ${STAND_INS.join(', ')}, or exports functions${wantsArguments}`,
      },
    );
  }
  const family = await loadFamily(await writeBenchFamily(bench, chosen, context));
  for (const note of [...notes, ...left]) writeNote(io.stderr, note);
  return {
    family,
    bench: {
      files,
      ...(bench.args.length === 0 ? {} : { args: bench.args }),
      notes: [...notes, ...left],
    },
  };
}

/**
 * Says which benchmark files a directory has, and how to measure one.
 *
 * @param {string | undefined} typed directory; the current one by default
 * @param {Io} io
 * @throws {UsageError} when there is none
 */
export function describeBenchmarks(typed = '.', { workingPath, stdout }) {
  const path = resolve(workingPath, typed);
  const found = existsSync(path) ? findBenchmarks(path, '') : [];
  if (found.length === 0) {
    const whole = formatCommand(['compare', '--pr', typed]);
    throw new UsageError(`'${typed}' has no file that imports ${STAND_INS.join(', ')}`, {
      remedy: `name a file with --bench FILE; a module that exports functions is one, too. A package that exports a pair of functions such as encode and decode needs none: ${whole}`,
    });
  }
  const width = Math.max(...found.map(({ file }) => file.length));
  for (const { file, uses } of found) {
    writeLine(stdout, `${file.padEnd(width)}  ${uses ?? 'its functions, if it exports any'}`);
  }
  const first = found.find(({ uses }) => uses !== null) ?? found[0];
  const command = formatCommand(['compare', '--pr', typed, '--bench', first.file]);
  writeLine(stdout, `Nothing was measured. One file, or several with --bench each: ${command}`);
}

/** @param {Io} io @returns {FoundFamily} one that any module belongs to, to find the trees of variants */
function makePlainFamily({ workingPath }) {
  return {
    ...{ name: 'benchmarks', summary: 'benchmark files', reference: 'the baseline', packages: [] },
    ...{ takesModules: true, defaultOperations: [], path: workingPath },
    ...{ variants: [], operations: [], axes: [], hasContract: false },
  };
}

/** @param {VariantSpec} spec @throws {UsageError} for one without a tree of JavaScript */
function requireTree(spec) {
  if (spec.kind !== 'built-in' && spec.kind !== 'package') return spec;
  throw new UsageError(
    `'${spec.text}' is no checkout, directory or npm package, which --bench needs`,
    {
      remedy: 'name --pr DIRECTORY, git:DIRECTORY@REVISION, path:DIRECTORY or npm:PACKAGE@VERSION',
    },
  );
}

/**
 * @param {string} typed
 * @param {{ top: string, spec: VariantSpec, io: Pick<Io, 'workingPath'> }} candidate
 * @returns {BenchFile} of the tree of the candidate or, where that has no such file, on disk
 * @throws {UsageError} when there is none
 */
function findFile(typed, { top, spec, io }) {
  const directory = spec.kind === 'git' ? spec.directory : spec.kind === 'path' ? spec.path : '.';
  const home = resolve(io.workingPath, directory);
  const folder = isFile(home) ? dirname(home) : home;
  const original = askGit(folder, ['rev-parse', '--show-toplevel']) ?? folder;
  // The command that repeats a run names files from the top.
  const typedPaths = [io.workingPath, folder, original].map((base) => resolve(base, typed));
  for (const [path, tree] of [
    ...typedPaths.map((whole) => [relative(original, whole), top]),
    // A published package has no benchmarks; they lie in its checkout as if they were there.
    ...typedPaths.map((whole) => {
      const root = spec.kind === 'npm' ? (findPackageRoot(whole) ?? folder) : original;
      return [relative(root, whole), root];
    }),
  ]) {
    if (!path.startsWith('..') && isFile(join(tree, path))) return { path, top: tree };
  }
  throw new UsageError(`${spec.text} has no file '${typed}'`, {
    remedy:
      'name a file of the last revision, relative to the current directory, to its package or to the top of the checkout; --bench alone lists some',
  });
}

/** @type {(job: ListJob, runJob: import('../run/jobs.js').RunJob) => Promise<ListReport>} */
async function listCases(job, runJob) {
  const outcome = await runJob(job);
  if ('report' in outcome) return /** @type {ListReport} */ (outcome.report);
  const { detail, lastLines } = outcome.failure;
  throw new MachineError(`the benchmark files ${detail} with ${job.variant.spec}`, {
    quoted: lastLines,
  });
}

/** @param {string} path */
function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
