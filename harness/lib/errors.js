import { EXIT } from './exit-status.js';

/**
 * An error for the user: `message` says what happened and where, `remedy` what to do about it. Anything
 * else that is thrown is a defect of Assay and is printed with its stack.
 */
export class AssayError extends Error {
  /**
   * @param {string} message what is wrong, and where
   * @param {{ remedy?: string, exitStatus?: number, cause?: unknown }} [options]
   */
  constructor(message, { remedy, exitStatus = EXIT.failed, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.remedy = remedy;
    this.exitStatus = exitStatus;
  }
}

/** Invalid input: unknown name, bad option, missing argument. */
export class UsageError extends AssayError {
  /**
   * @param {string} message
   * @param {{ remedy?: string, cause?: unknown }} [options]
   */
  constructor(message, options = {}) {
    super(message, { ...options, exitStatus: EXIT.usage });
  }
}

/** An invalid file: broken, of another format version, or edited by hand. */
export class FormatError extends AssayError {
  /**
   * @param {string} message
   * @param {{ remedy?: string, cause?: unknown }} [options]
   */
  constructor(message, options = {}) {
    super(message, { ...options, exitStatus: EXIT.usage });
  }
}

/** A tool, a worker or the machine failed. */
export class MachineError extends AssayError {
  /**
   * @param {string} message
   * @param {{ remedy?: string, cause?: unknown }} [options]
   */
  constructor(message, options = {}) {
    super(message, { ...options, exitStatus: EXIT.failed });
  }
}
