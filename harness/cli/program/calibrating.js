/** Arguments and options of the command that measures the instrument. */

/** @import { Command } from 'commander' */

/**
 * @param {Command} command
 * @returns {Command}
 */
export function addCalibrate(command) {
  return command
    .description('measure the instrument itself here: how often it errs, what it can see')
    .argument('[variant]', 'of js-bson, compared with itself (default: linked-list)')
    .option('--for <time>', 'for how long: 5m, 30m, 2h', '30m')
    .option('--only <parts>', 'of false-positives, power, layouts (default: all)')
    .option('--mode <modes>', 'default, screen (default: both)')
    .option('--op <operations>', 'comma-separated (default: serialize, deserialize)')
    .option('--corpus <corpora>', 'comma-separated (default: flat, deep)')
    .option('--budget <seconds>', 'for each comparison (default: 20, with --peers 5)')
    .option('--seed <number>', 'for the order of everything (default: random)')
    .option('--out <directory>', 'where its directory is made (default: reports/runs)')
    .option('--resume <directory>', 'go on with what is there, for the time of --for')
    .option('--wait', 'until nothing else measures here')
    .option(
      '--peers [tools]',
      'hold benchmark tools against each other on one task, Assay among them',
    )
    .addHelpText(
      'after',
      `
Compares a variant with itself and with copies that do a known amount of extra
work, by the plan and the rule of compare. Later runs on this host cite what was
found and use the number of batches that was best, once there are 20 comparisons
with itself in default mode. --resume adds to a calibration or to a comparison of
tools, just report shows them again. --peers takes the first cell alone, in
default mode.

Examples:
  just calibrate --for 30m
  just calibrate --for 1h --only false-positives --mode default
  just calibrate --resume reports/runs/CALIBRATION --for 30m
  just calibrate --peers --for 30m
  just calibrate --peers tinybench,hyperfine --for 5m

Exit status: 0 done, 2 usage, 4 a worker failed or another run measures here,
130 interrupted.`,
    );
}
