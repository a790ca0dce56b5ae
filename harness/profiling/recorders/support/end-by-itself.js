/**
 * Preloaded into a worker whose recorder writes its data when the event loop is empty: `process.exit`
 * only sets the exit status, and the process ends once the recorder is done.
 */

/** @param {number | string | null | undefined} [code] */
function endWhenIdle(code) {
  process.exitCode = code ?? process.exitCode;
}

process.exit = /** @type {typeof process.exit} */ (endWhenIdle);
