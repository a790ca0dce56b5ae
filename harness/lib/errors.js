import { EXIT } from './exit-status.js';

/**
 * An error meant for the user: what happened and where in `message`, what to do about it in
 * `remedy`. Anything else that is thrown is a defect of Assay and is shown with its stack.
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

/** The question cannot be answered as asked: unknown name, bad option, missing argument. */
export class UsageError extends AssayError {
  /**
   * @param {string} message
   * @param {{ remedy?: string, cause?: unknown }} [options]
   */
  constructor(message, options = {}) {
    super(message, { ...options, exitStatus: EXIT.usage });
  }
}

/** A file is not what it claims to be: broken, of another format version, edited by hand. */
export class FormatError extends AssayError {
  /**
   * @param {string} message
   * @param {{ remedy?: string, cause?: unknown }} [options]
   */
  constructor(message, options = {}) {
    super(message, { ...options, exitStatus: EXIT.usage });
  }
}

/** A tool, a worker or the machine did not do what it was asked to. */
export class MachineError extends AssayError {
  /**
   * @param {string} message
   * @param {{ remedy?: string, cause?: unknown }} [options]
   */
  constructor(message, options = {}) {
    super(message, { ...options, exitStatus: EXIT.failed });
  }
}
