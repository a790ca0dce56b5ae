/**
 * Names under which a worker compiles a script of nothing, so that its log says where the recorded
 * window begins and ends: what is logged has an order, and compiling is always logged.
 */
export const WINDOW_MARKS = Object.freeze({
  begin: 'assay:window-begin',
  end: 'assay:window-end',
});
