/**
 * Preloaded into a worker whose recorder writes what it has when the event loop is empty: the worker
 * asks for its end, and gets it once the recorder is done.
 */

/** @param {number | string | null | undefined} [code] */
function endWhenIdle(code) {
  process.exitCode = code ?? process.exitCode;
}

process.exit = /** @type {typeof process.exit} */ (endWhenIdle);
