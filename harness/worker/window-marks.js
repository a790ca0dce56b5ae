/**
 * Names of empty scripts that a worker compiles to mark the start and end of the recorded window in V8's
 * log: entries are in order, and compilation is always logged.
 */
export const WINDOW_MARKS = Object.freeze({
  begin: 'assay:window-begin',
  end: 'assay:window-end',
});
