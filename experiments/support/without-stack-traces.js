/**
 * Calls with errors that have no stack trace. A trace takes longer than the refusal of a short document.
 * @template T
 * @param {() => T} call
 * @returns {T}
 */
export function withoutStackTraces(call) {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return call();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
