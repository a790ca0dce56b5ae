import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import * as zlib from 'node:zlib';
import { splitProcessStat } from '../../host/processes.js';
import { TRACE_MARK } from '../../worker/page/trace-mark.js';
import { ORIGIN } from './modules.js';

/** @import { Job } from '../../formats/types.ts' */
/** @import { Browser } from './browser.js' */
/** @import { PageModules } from './modules.js' */

/** Of Linux on all its platforms. */
const TICKS_PER_SECOND = 100;
/** Raises the priority of the session of the worker, to which the browser belongs. */
const AUTOGROUP = '/proc/self/autogroup';

/** Names of V8's collections in the trace. */
const COLLECTION_KINDS = new Map([
  ['MinorGC', 'scavenge'],
  ['MajorGC', 'mark-compact'],
]);
/** Has the collections, and the mark of the page. */
const TRACE = Object.freeze({
  includedCategories: ['devtools.timeline', 'blink.user_timing'],
  excludedCategories: ['*'],
});

/** @typedef {{ about: any, bytes: Buffer }} Asked */

/**
 * Answers the questions of a page, by name (`harness/worker/page/ask.js`). An answer is JSON, or bytes.
 *
 * @param {object} context
 * @param {Job} context.job
 * @param {Browser} context.browser
 * @param {string} context.sessionId of the page
 * @param {PageModules} context.modules
 * @param {(result: object) => void} context.onFinish
 * @param {(text: string) => void} context.onFail called with what the page threw
 * @returns {Record<string, (asked: Asked) => unknown>}
 */
export function makeAnswers({ job, browser, sessionId, modules, onFinish, onFail }) {
  const writable = listWritable(job);
  const readUsage = openUsage(browser);
  const trace = openTrace(browser, sessionId);
  return {
    job: () => job,
    finish: ({ about }) => onFinish(about),
    fail: ({ about }) => onFail(about),
    read: ({ about: path }) => readFileSync(requireOutside(path)),
    stat: ({ about: path }) => describeFile(path),
    list: ({ about: path }) => readdirSync(path),
    resolve: ({ about: { specifier, from } }) => modules.resolveRequired(specifier, from),
    digest: ({ about: algorithm, bytes }) => createHash(algorithm).update(bytes).digest(),
    canCompress: ({ about: name }) => name in zlib,
    compress: ({ about: name, bytes }) => Reflect.get(zlib, name)(bytes),
    usage: readUsage,
    trace: trace.start,
    collections: trace.listCollections,
    async devtools({ about: { method, params } }) {
      const result = await browser.send(method, params, sessionId);
      // Profiles name files as those of Node do.
      return JSON.parse(JSON.stringify(result).replaceAll(`"${ORIGIN}/`, '"file:///'));
    },
    write({ about: path, bytes }) {
      if (!writable.includes(path)) throw new Error(`EACCES: a page does not write '${path}'`);
      writeFileSync(path, bytes);
      return null;
    },
  };
}

/** @param {Job} job @returns {string[]} paths */
function listWritable(job) {
  if (job.kind === 'output') return [job.outputPath];
  if (job.kind === 'exercise' && job.observedPath !== null) return [job.observedPath];
  return job.kind === 'measure' ? [AUTOGROUP] : [];
}

/** The files of the kernel would describe this process, not the page. @param {string} path */
function requireOutside(path) {
  if (path.startsWith('/proc/'))
    throw new Error(`ENOENT: '${path}' would describe the worker, not the page`);
  return path;
}

/** @param {string} path @returns {{ size: number, kind: string } | null} */
function describeFile(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  return { size: stat.size, kind: stat.isDirectory() ? 'directory' : 'file' };
}

/**
 * @param {Browser} browser
 * @returns {() => Promise<Record<string, number>>} resource usage of the process of the page, with the names of Node
 */
function openUsage(browser) {
  /** @type {number | null} */
  let pid = null;
  return async function readUsage() {
    pid ??= await findPageProcess(browser);
    const [, , , , , , , , , , , user, system] = splitProcessStat(
      readFileSync(`/proc/${pid}/stat`, 'utf8'),
    ).map(Number);
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const readLine = (/** @type {string} */ name) =>
      Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1]);
    return {
      userCPUTime: (user / TICKS_PER_SECOND) * 1e6,
      systemCPUTime: (system / TICKS_PER_SECOND) * 1e6,
      voluntaryContextSwitches: readLine('voluntary_ctxt_switches'),
      involuntaryContextSwitches: readLine('nonvoluntary_ctxt_switches'),
      maxRSS: readLine('VmHWM'),
    };
  };
}

/**
 * The isolated page has a process of its own, started after all others that show pages.
 * @type {(browser: Browser) => Promise<number>} its id
 */
async function findPageProcess(browser) {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  /** @type {{ id: number, startTicks: number }[]} */
  const pages = processInfo
    .filter((/** @type {{ type: string }} */ { type }) => type === 'renderer')
    .map((/** @type {{ id: number }} */ { id }) => ({
      id,
      startTicks: Number(splitProcessStat(readFileSync(`/proc/${id}/stat`, 'utf8'))[19]),
    }));
  return pages.reduce((last, page) => (page.startTicks >= last.startTicks ? page : last)).id;
}

/**
 * The trace of a browser. Start it once the page has loaded: if a process exits during the trace, as that of the
 * preceding blank page does, ending the trace waits five seconds for its answer.
 *
 * @param {Browser} browser
 * @param {string} sessionId
 * @returns {{ start: () => Promise<void>, listCollections: () => Promise<object[]> }} `listCollections` ends it; they
 *   are by the clock of the page that set the mark
 */
function openTrace(browser, sessionId) {
  /** @type {any[]} */
  const events = [];
  browser.listen('Tracing.dataCollected', ({ value }) => events.push(...value));
  /** @type {Promise<object[]> | null} */
  let found = null;
  async function endTrace() {
    /** @type {Promise<void>} */
    const complete = new Promise((resolve) => browser.listen('Tracing.tracingComplete', resolve));
    await browser.send('Tracing.end', {}, sessionId);
    await complete;
    const mark = events.find(({ name, args }) => name === TRACE_MARK && args.data !== undefined);
    const originMs = mark.ts / 1e3 - mark.args.data.startTime;
    return events
      .filter(({ name, pid }) => COLLECTION_KINDS.has(name) && pid === mark.pid)
      .map(({ name, ts, dur }) => ({
        startTime: ts / 1e3 - originMs,
        duration: dur / 1e3,
        kind: COLLECTION_KINDS.get(name),
      }));
  }
  return {
    start: () => browser.send('Tracing.start', { traceConfig: TRACE }, sessionId),
    listCollections: () => (found ??= endTrace()),
  };
}
