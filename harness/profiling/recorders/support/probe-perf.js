import { readFileSync } from 'node:fs';
import { findTool } from '../../../host/find-tool.js';
import { findReason, tryTool } from '../../../host/run-tool.js';

/** @import { Probe, RecorderHost } from '../../../formats/types.ts' */

const PROBE_TIMEOUT_MS = 5_000;
const INSTALL = 'apt-get install linux-perf';

/** What perf says where it may not work, in the words of its versions 5 and 6. */
const FORBIDDEN = /perf_event_paranoid|permission|not permitted|EPERM|EACCES/i;
/** What the wrappers of Debian and Ubuntu say that look for the perf of the running kernel. */
const NO_BUILD = /perf not found for kernel|linux-(?:perf|tools)-\S+ is not installed/i;

/**
 * The probe of perf. It counts once: a version number says nothing of what the kernel permits, and
 * an event that is not supported is told in the text alone, with exit status 0.
 *
 * @param {RecorderHost} host
 * @returns {Promise<Probe>}
 */
export async function probePerf({ environment }) {
  const path = findTool('perf', environment);
  if (path === null) {
    return { available: false, reason: 'there is no perf', install: INSTALL };
  }
  const run = (/** @type {string[]} */ args) =>
    tryTool(path, args, { environment, timeoutMs: PROBE_TIMEOUT_MS });
  const [counted, version] = await Promise.all([
    run(['stat', '-x', ',', '-e', 'cpu-clock:u', '--', 'true']),
    run(['--version']),
  ]);
  const said = `${counted.stdout}\n${counted.stderr}`;
  if (counted.status === 0 && /^[\d.]+,[^\n]*cpu-clock/m.test(said)) {
    const number = /\d+(?:\.\d+)+/.exec(version.stdout)?.[0] ?? '';
    return { available: true, detail: `perf ${number}, by the software clock` };
  }
  return explainFailure(said, readParanoia());
}

/**
 * @param {string} said by perf
 * @param {number | null} paranoia `kernel.perf_event_paranoid`
 * @returns {Probe & { available: false }}
 */
export function explainFailure(said, paranoia) {
  if (NO_BUILD.test(said)) {
    const reason = 'this perf is a wrapper that finds no build for the running kernel';
    return { available: false, reason, install: INSTALL };
  }
  if (said.includes('<not supported>')) {
    const reason = 'the kernel does not give perf its software clock';
    return { available: false, reason, install: null };
  }
  if (FORBIDDEN.test(said)) {
    const reason =
      paranoia !== null && paranoia > 2
        ? `kernel.perf_event_paranoid is ${paranoia}; 'sysctl kernel.perf_event_paranoid=2' lets users`
        : 'perf may not open its events here; in a container it takes --cap-add PERFMON';
    return { available: false, reason, install: null };
  }
  return {
    available: false,
    reason: `perf fails: ${findReason(said)}`,
    install: null,
  };
}

/** @returns {number | null} */
function readParanoia() {
  try {
    return Number(readFileSync('/proc/sys/kernel/perf_event_paranoid', 'utf8'));
  } catch {
    return null;
  }
}
