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

/**
 * @typedef {object} ErrorOptions
 * @property {string} [remedy]
 * @property {string[]} [quoted] lines that a program printed, which are shown between message and remedy
 * @property {unknown} [cause]
 */

/**
 * An error for the user: `message` says what happened and where, `remedy` what to do about it. Anything
 * else that is thrown is a defect of Assay and is printed with its stack.
 */
export class AssayError extends Error {
  /**
   * @param {string} message what is wrong, and where
   * @param {ErrorOptions & { exitStatus?: number }} [options]
   */
  constructor(message, { remedy, quoted = [], exitStatus = EXIT.failed, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.remedy = remedy;
    this.quoted = quoted;
    this.exitStatus = exitStatus;
  }
}

/**
 * @param {unknown} error
 * @returns {string} its message
 * @throws {unknown} the error itself if it is a defect of Assay
 */
export function messageOf(error) {
  if (error instanceof AssayError) return error.message;
  throw error;
}

/** Invalid input: unknown name, bad option, missing argument. */
export class UsageError extends AssayError {
  /** @param {string} message @param {ErrorOptions} [options] */
  constructor(message, options = {}) {
    super(message, { ...options, exitStatus: EXIT.usage });
  }
}

/** An invalid file: broken, of another format version, or edited by hand. */
export class FormatError extends AssayError {
  /** @param {string} message @param {ErrorOptions} [options] */
  constructor(message, options = {}) {
    super(message, { ...options, exitStatus: EXIT.usage });
  }
}

/** A tool, a worker or the machine failed. */
export class MachineError extends AssayError {
  /** @param {string} message @param {ErrorOptions} [options] */
  constructor(message, options = {}) {
    super(message, { ...options, exitStatus: EXIT.failed });
  }
}
