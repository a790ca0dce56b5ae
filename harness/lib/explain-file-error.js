import { sep } from 'node:path';
import { MachineError } from './errors.js';
import { PROJECT } from './project.js';

/** Where a file system takes no file, whoever wants to write it. */
const CODES = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT']);

export const CACHE_REMEDY =
  'free some space, or set ASSAY_CACHE_DIRECTORY to a directory that can be written to';
const OTHER_REMEDY =
  'free some space, check the permissions, or name another directory (--out for what is measured)';

/**
 * What a file system refuses is no defect of Assay, whichever file it is about.
 *
 * @param {unknown} error
 * @returns {MachineError | null} null for any other error
 */
export function explainFileError(error) {
  const { code, path, syscall, message } = /** @type {NodeJS.ErrnoException} */ (error ?? {});
  if (path === undefined || syscall === undefined || !CODES.has(code ?? '')) return null;
  if (syscall.startsWith('spawn')) return null;
  const isInCache = path.startsWith(PROJECT.statePath + sep);
  return new MachineError(`cannot write '${path}': ${message}`, {
    cause: error,
    remedy: isInCache ? CACHE_REMEDY : OTHER_REMEDY,
  });
}
