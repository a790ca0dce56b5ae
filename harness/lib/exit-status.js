/** Exit statuses of the process. */
export const EXIT = Object.freeze({
  done: 0,
  /** Under `--check`: the candidate is slower. */
  regression: 1,
  /** Invalid arguments or an invalid file. */
  usage: 2,
  /** A variant writes or reads other data than the reference. */
  wrongBytes: 3,
  /** A worker or the machine failed. */
  failed: 4,
  /** Interrupted by Ctrl-C: 128 + SIGINT. */
  interrupted: 130,
});
