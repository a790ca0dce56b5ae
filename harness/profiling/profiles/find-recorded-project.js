/** The module lay in `harness/recorders/support/` once, and runs of that time are still read. */
const LOOP_URL =
  /"file:\/\/([^"\s]*)\/harness\/(?:worker|recorders\/support)\/exercise-operation\.js"/;

/**
 * Where Assay lay when V8 recorded a profile, by the module that every exercise runs in: a run may
 * have been copied from another checkout or machine, and V8's files name scripts by absolute paths.
 *
 * @param {string} text of a .cpuprofile or .heapprofile
 * @returns {string | null} absolute path; null where no exercise of Assay is in it
 */
export function findRecordedProject(text) {
  const path = LOOP_URL.exec(text)?.[1] ?? null;
  if (path === null) return null;
  try {
    return decodeURIComponent(path);
  } catch {
    // A stray percent sign: the path serves as it is.
    return path;
  }
}
