/** What the process says to the shell when it ends. */
export const EXIT = Object.freeze({
  done: 0,
  /** Under `--check`: the candidate is slower. */
  regression: 1,
  /** The question was not understood, or a file is not what it should be. */
  usage: 2,
  /** A variant writes or reads something other than the reference. */
  wrongBytes: 3,
  /** A worker or the machine failed. */
  failed: 4,
  /** Ended by Ctrl-C, as shells count it: 128 + SIGINT. */
  interrupted: 130,
});
