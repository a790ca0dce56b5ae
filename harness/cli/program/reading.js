/** Arguments and options of the commands that measure nothing. */

/** @import { Command } from 'commander' */

/**
 * @param {Command} command
 * @returns {Command}
 */
export function addVariants(command) {
  return command
    .description('list variants, axes and operations of each family')
    .argument('[names...]', 'families to list, or variants to describe in full');
}

/**
 * @param {Command} command
 * @returns {Command}
 */
export function addImport(command) {
  return command
    .description("take a user's own documents: Extended JSON, JSON lines or raw BSON")
    .argument('<name>', 'how it will be called on the command line')
    .argument('<file>')
    .option('--replace', 'when there is one of that name');
}

/**
 * @param {Command} command
 * @returns {Command}
 */
export function addReport(command) {
  return command
    .description('judge and render a run again, without measuring')
    .argument(
      '<run>',
      'directory of a run, reproduction, calibration, comparison of tools or profile',
    )
    .option('--format <name>', 'terminal, markdown, html or json', 'terminal');
}

/**
 * @param {Command} command
 * @returns {Command}
 */
export function addOpen(command) {
  return command
    .description('open the report of a run in the browser')
    .argument(
      '[run]',
      'directory of a run, reproduction, calibration or comparison of tools (default: the last)',
    );
}

/**
 * @param {Command} command
 * @returns {Command}
 */
export function addClaims(command) {
  return command
    .description('list what others reported, and the last result here')
    .argument('[names...]', 'of these sources or claims');
}

/**
 * @param {Command} command
 * @returns {Command}
 */
export function addConvert(command) {
  return command
    .description('write a profile in another format to standard output')
    .argument('<file>', '.cpuprofile, .heapprofile, .speedscope.json or .folded')
    .option('--to <format>', 'folded or speedscope', 'folded');
}

/**
 * @param {Command} command
 * @returns {Command}
 */
export function addMerge(command) {
  return command
    .description('put the parts of a plan together into one run')
    .argument('<runs...>', 'directories of the runs of all shards')
    .option('--out <directory>', 'where the directory of the run is made (default: reports/runs)')
    .option('--check', 'exit with status 1 when the candidate is slower anywhere');
}

/**
 * @param {Command} command
 * @returns {Command}
 */
export function addPr(command) {
  return command
    .description('print the comment for a pull request, or post it')
    .argument('<run>', 'directory of the run')
    .option('--post', 'send it through gh, in place of the earlier one')
    .option('--number <number>', 'of the pull request (default: that of the current branch)')
    .option('--repo <owner/name>', 'where the pull request is (default: that of the directory)')
    .option('--marker <name>', 'tells several comparisons of one pull request apart', 'default')
    .option('--summary <file>', 'append it to this file too, as the summary of a workflow job')
    .option('--check', 'exit with status 1 when the candidate is slower anywhere')
    .addHelpText(
      'after',
      `
Exit status: 0 done, 1 slower, 3 wrong bytes (both with --check), 2 usage, or
the comment there tells of a newer run, 4 gh failed.`,
    );
}

/**
 * @param {Command} command
 * @returns {Command}
 */
export function addSetup(command) {
  return command
    .description('build what families in other languages need, or say what that is')
    .argument('[families...]', 'names, or the beginning of one')
    .option('--all', 'every family that needs something')
    .option('--if-possible', 'a program that is missing is no failure')
    .addHelpText(
      'after',
      `
Exit status: 0 done, 2 usage, 4 something cannot run here, or a build failed.`,
    );
}
