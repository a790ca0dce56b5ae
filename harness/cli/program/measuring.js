/** Arguments and options of the commands that measure. */

/** @import { Command } from 'commander' */

const BUILD = 'builds a git: revision (default: found in its package.json)';
const SANDBOX = 'run workers apart from network, home directory and other processes';
const WAIT = 'for another run on this host to end, in place of being refused';

/**
 * @param {Command} command
 * @returns {Command}
 */
export function addCompare(command) {
  return addQuestion(command)
    .description('say which of two variants is faster, by how much, and how sure that is')
    .option('--shard <number/count>', 'measure one part of the cells (see just plan)')
    .option('--out <directory>', 'where the directory of the run is made (default: reports/runs)')
    .option('--check', 'exit with status 1 when the candidate is slower anywhere')
    .option('--resume <run>', 'go on with a run that was cut off')
    .option('--wait', WAIT)
    .addHelpText(
      'after',
      `
A variant spec is a built-in name (see just variants), npm:PACKAGE@1.2.3,
REGISTRY:PACKAGE@1.2.3, git:DIRECTORY@REVISION or path:DIRECTORY. A built-in name
may set axes: linked-list+object-id=packed. Each may be pinned to a Node:
generator@node=22.
A corpus may give a count and where its documents come from: comments:100,
flat@deserialized, flat@literal.
With --memory, times may take up to half of the --budget first, then memory the
rest, and then times again what memory leaves. A report that the budget cut short
says what is missing, and --resume measures it.

Examples:
  just compare generator linked-list
  just compare npm:bson@7.2.0 npm:bson@7.3.1 --op serialize
  just compare npm:bson@7.3.1 path:../js-bson --corpus flat,deep@literal --mei 2
  just compare --pr ../js-bson           HEAD against where it branched off
  just compare generator linked-list --node 20,22,24
  just compare generator@node=20 generator@node=24
  just compare linked-list string-backed --corpus comments:1000 --memory
  just compare recursive recursive       the same twice: does the machine lie?
  just compare --resume reports/runs/RUN

Exit status: 0 done, 1 slower (with --check), 2 usage, 3 wrong bytes,
4 a worker failed, 130 interrupted.`,
    );
}

/**
 * @param {Command} command
 * @returns {Command}
 */
export function addPlan(command) {
  return addQuestion(command)
    .description('share the cells of a comparison among hosts: what each has to measure')
    .option('--shards <number>', 'into so many parts', '2')
    .option('--json', 'as data: the matrix of a workflow')
    .addHelpText(
      'after',
      `
Each part is a command to run on a host of its own, for instance over ssh; bring
the directories of the runs back and put them together with just merge.
A cell is measured on one host, both its sides.

Example:
  just plan generator linked-list --shards 3`,
    );
}

/**
 * What a comparison asks; the same for those who measure and those who plan.
 *
 * @param {Command} command
 * @returns {Command}
 */
function addQuestion(command) {
  return command
    .argument('[baseline]', 'what is, as a variant spec')
    .argument('[candidate]', 'what might replace it')
    .option('--op <names>', 'operations, separated by commas')
    .option(
      '--corpus <names>',
      'corpora, separated by commas; NAME:COUNT for a number of documents',
    )
    .option('--mei <percent>', 'minimum effect of interest: smaller ones count as none', '3')
    .option('--budget <seconds>', 'stop measuring times and memory after this long')
    .option('--processes <number>', 'most processes a side, for small effects', '96')
    .option(
      '--layouts <number>',
      'copies of each side in which small differences are measured again: same code, other places',
      '4',
    )
    .option('--memory', 'after the time: bytes allocated, garbage collections, bytes retained')
    .option('--memory-only', 'the same without the time')
    .option(
      '--screen',
      'faster and steadier under node --predictable; not the operating point of a claim',
    )
    .option('--seed <number>', 'repeat the order of a run')
    .option('--node-flag <flag>', 'flag for the node of every timed job; may be repeated', collect)
    .option('--accept <rows>', 'rows of the behaviour contract that may fail, by name')
    .option('--explain <cells>', 'profile cells that are differing, all, or none', 'differing')
    .option('--with <recorders>', 'record every cell with these too, by name (see just doctor)')
    .option('--instructions', 'instructions per document, counted under valgrind')
    .option('--whole-process', 'start-up plus work, timed by hyperfine')
    .option('--family <name>', 'where the specs do not tell')
    .option(
      '--set <axis=value>',
      'set an axis of both variants (see just variants); for short --AXIS VALUE',
      collect,
    )
    .option('--node <versions>', 'other versions of Node, separated by commas: 22.11.0 or 20,22,24')
    .option('--build <command>', BUILD)
    .option('--sandbox', SANDBOX)
    .option(
      '--pr <directory>',
      'in place of two variants: HEAD of a checkout, and where it branched off',
    )
    .option('--base <revision>', 'of --pr: what it branched off from (default: the main branch)');
}

/**
 * @param {Command} command
 * @returns {Command}
 */
export function addBisect(command) {
  return command
    .description('find the version or commit from which on a cell is slower')
    .argument('<good>', 'npm:PACKAGE@1.2.3 or git:DIRECTORY@REVISION')
    .argument('<bad>', 'a later one of the same package or checkout')
    .argument('<cell...>', 'operation and corpus: serialize flat')
    .option('--build <command>', BUILD)
    .option('--processes <number>', 'most processes a side and step', '96')
    .option('--node <version>', 'under another version of Node')
    .option('--accept <rows>', 'rows of the behaviour contract that may fail, by name')
    .option('--family <name>', 'where the specs do not tell')
    .option('--seed <number>', 'repeat the order of the jobs')
    .option('--out <directory>', 'where the directory is made (default: reports/runs)')
    .option('--sandbox', SANDBOX)
    .option('--wait', WAIT)
    .addHelpText(
      'after',
      `
Every version in between, or every commit, may be tried; what cannot be built or
gives wrong bytes is passed over.

Examples:
  just bisect npm:bson@7.0.0 npm:bson@7.2.0 serialize flat
  just bisect git:../js-bson@2ea8dbb git:../js-bson@0231603 serialize flat

Exit status: 0 found, 2 usage or no regression there, 3 an end gives wrong
bytes, 4 not settled or a worker failed, 130 interrupted.`,
    );
}

/**
 * @param {Command} command
 * @returns {Command}
 */
export function addReplay(command) {
  return command
    .description('measure again here what a report tells, and say whether it holds')
    .argument('<report>', 'directory of a run, its verdict.json, or its report.html alone')
    .option('--map <from=to>', 'where a path or checkout of the report lies here', collect)
    .option('--build', 'let the build command of the report run')
    .option('--budget <time>', 'stop measuring after this long: 90s, 9m')
    .option('--out <directory>', 'where the directory of the run is made (default: reports/runs)')
    .option('--sandbox', SANDBOX)
    .option('--wait', WAIT)
    .addHelpText(
      'after',
      `
Nothing that the file names is run but variants of this checkout, versions of
packages of their family, and what --map allows:
  just replay report.html --map git:../js-bson=../my-js-bson

Exit status: 0 reproduced, 1 not reproduced, 2 refused, 4 a worker failed or
nothing can be said, 130 interrupted.`,
    );
}

/**
 * @param {Command} command
 * @returns {Command}
 */
export function addCheck(command) {
  return command
    .description(
      'hold variants against the reference without timing: corpora, contract, vectors, limits',
    )
    .argument('<variants...>', 'variant specs')
    .option('--corpus <names>', 'corpora, separated by commas')
    .option('--build <command>', BUILD)
    .option('--family <name>', 'where the specs do not tell')
    .option('--sandbox', SANDBOX);
}

/**
 * @param {Command} command
 * @returns {Command}
 */
export function addFuzz(command) {
  return command
    .description('hold variants against the reference on mutated documents')
    .argument('<variants...>', 'variant specs')
    .option('--for <time>', 'how long for each variant: 60s, 5m (default: 60s)')
    .option('--documents <number>', 'how many for each variant, however long that takes')
    .option('--seed <number>', 'make the same documents again')
    .option(
      '--corpus-dir <directory>',
      "where cases are kept and taken from (default: the family's fuzz/cases, which tests replay)",
    )
    .option('--build <command>', BUILD)
    .option('--family <name>', 'where the specs do not tell')
    .option('--sandbox', SANDBOX)
    .option('--wait', WAIT)
    .addHelpText(
      'after',
      `
Examples:
  just fuzz linked-list --for 60s
  just fuzz linked-list recursive --documents 2000000 --seed 7
  just fuzz path:../js-bson --corpus-dir fuzz-cases

Exit status: 0 no difference, 2 usage, 3 a document on which they part, 4 the
worker failed, 130 interrupted.`,
    );
}

/**
 * @param {Command} command
 * @returns {Command}
 */
export function addReproduce(command) {
  return command
    .description('measure what claims need, and say which hold here')
    .argument('[names...]', 'sources or claims, as NODE-7606 or NODE-7606/flat-serialize')
    .option('--all', 'every claim')
    .option('--budget <time>', 'for all of it: 90s, 9m, 1h (default: by the number of cells)')
    .option('--seed <number>', 'repeat the order of a run')
    .option('--out <directory>', 'where the directory is made (default: reports/runs)')
    .option('--sandbox', SANDBOX)
    .option('--wait', WAIT)
    .addHelpText(
      'after',
      `
Examples:
  just reproduce NODE-7606
  just reproduce NODE-7606/flat-serialize --budget 2m

A claimed ratio is reproduced when the interval measured here overlaps the claim's
tolerance, is no wider than it, and does not contain 1 where a difference was
claimed; direction only when it lies outside of the tolerance on the same side of 1.

Exit status: 0 done, whatever the verdicts, 2 usage, 4 a comparison could not be
made, 130 interrupted.`,
    );
}

/**
 * @param {Command} command
 * @returns {Command}
 */
export function addProfile(command) {
  return command
    .description('record where a variant spends its time, without comparing')
    .argument('<variant>', 'as a variant spec')
    .option('--op <names>', "operations, separated by commas (default: the family's first)")
    .option('--corpus <names>', "corpora, separated by commas (default: the operation's first)")
    .option('--with <recorders>', 'which recorders, by name (see just doctor)')
    .option('--node-flag <flag>', 'flag for the node that is recorded; may be repeated', collect)
    .option('--build <command>', BUILD)
    .option('--family <name>', 'where the spec does not tell')
    .option('--out <directory>', 'where the directory is made (default: reports/runs)')
    .option('--sandbox', SANDBOX)
    .option('--wait', WAIT);
}

/**
 * @param {string} value
 * @param {string[]} [previous]
 */
function collect(value, previous = []) {
  return [...previous, value];
}
