import { existsSync, readFileSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findReason } from '../../../lib/failures.js';
import { findTool, installWith, runTool, tryTool } from '../../../host/tools.js';
import { MachineError } from '../../../lib/errors.js';
import { PROJECT } from '../../../lib/project.js';
import { getOrCreate } from '../../../variants/cache.js';
import { NpmError, runNpm } from '../../../variants/npm.js';

/** @import { Probe, RecordContext, RecorderHost } from '../../../formats/types.ts' */

const INSTALL_TIMEOUT_MS = 300_000;
const INSTALL_ARGS = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];

/**
 * Directory of an npm package used as a tool, installed or not.
 *
 * @param {string} name of the package
 * @param {string} version exact
 * @param {Pick<RecorderHost, 'toolsPath'>} host
 * @returns {string} absolute path of the parent of `node_modules`
 */
export function locateTool(name, version, { toolsPath }) {
  return join(toolsPath, `${name.replace('/', '+')}@${version}`);
}

/**
 * Installs one exact version of an npm package and its dependencies, without running install scripts.
 * Returns at once if it is installed already; an interrupted installation leaves nothing behind.
 *
 * @param {string} name of the package
 * @param {string} version exact
 * @param {RecorderHost} host
 * @param {AbortSignal} [signal] cancels the installation
 * @returns {Promise<string>} absolute path of the parent of `node_modules`
 * @throws {MachineError} when npm fails; the remedy has the equivalent command
 */
export async function installTool(name, version, host, signal) {
  const home = locateTool(name, version, host);
  await getOrCreate(home, async (staging) => {
    await writeFile(join(staging, 'package.json'), '{ "private": true }\n');
    try {
      await runNpm([...INSTALL_ARGS, '--prefix', staging, `${name}@${version}`], {
        // npm reads its settings and proxies from the environment.
        env: { ...host.environment, NODE_OPTIONS: undefined },
        timeoutMs: INSTALL_TIMEOUT_MS,
        signal,
      });
    } catch (cause) {
      if (!(cause instanceof NpmError)) throw cause;
      throw new MachineError(`npm could not install ${name}@${version}: ${cause.message}`, {
        cause,
        remedy: `see the output of: npm ${[...INSTALL_ARGS, '--prefix', home].join(' ')} ${name}@${version}`,
      });
    }
  });
  return home;
}

const PROBE_TIMEOUT_MS = 20_000;
const INSTALL_PERF = installWith('linux-perf');

/** Messages of perf 5 and 6 about missing permissions. */
const FORBIDDEN = /perf_event_paranoid|permission|not permitted|EPERM|EACCES/i;
/** Messages of the wrappers of Debian and Ubuntu that start the perf of the running kernel. */
const NO_BUILD = /perf not found for kernel|linux-(?:perf|tools)-\S+ is not installed/i;

/**
 * Probes perf by counting once: the version does not show what the kernel permits, and perf reports
 * an unsupported event in its output alone, with exit status 0.
 * @type {(host: RecorderHost) => Promise<Probe>}
 */
export async function probePerf({ environment }) {
  const path = findTool('perf', environment);
  if (path === null) {
    const isLinux = process.platform === 'linux';
    const reason = isLinux ? 'perf is not installed' : 'perf is a part of Linux';
    return { available: false, reason, install: INSTALL_PERF };
  }
  const run = (/** @type {string[]} */ args) =>
    tryTool(path, args, { environment, timeoutMs: PROBE_TIMEOUT_MS });
  const [counted, version] = await Promise.all([
    run(['stat', '-x', ',', '-e', 'cpu-clock:u', '--', 'true']),
    run(['--version']),
  ]);
  const output = `${counted.stdout}\n${counted.stderr}`;
  if (counted.status === 0 && /^[\d.]+,[^\n]*cpu-clock/m.test(output)) {
    const number = /\d+(?:\.\d+)+/.exec(version.stdout)?.[0] ?? '';
    return { available: true, detail: `perf ${number}, sampling by the software clock` };
  }
  return explainFailure(output, readParanoia());
}

/**
 * @param {string} output of perf
 * @param {number | null} paranoia `kernel.perf_event_paranoid`
 * @returns {Probe & { available: false }}
 */
export function explainFailure(output, paranoia) {
  if (NO_BUILD.test(output)) {
    const reason = 'perf has no build for the running kernel';
    return { available: false, reason, install: INSTALL_PERF };
  }
  if (output.includes('<not supported>')) {
    const reason = 'the kernel does not support the cpu-clock event';
    return { available: false, reason, install: null };
  }
  if (FORBIDDEN.test(output)) {
    const reason =
      paranoia !== null && paranoia > 2
        ? `kernel.perf_event_paranoid is ${paranoia}; 'sysctl kernel.perf_event_paranoid=2' permits users to profile`
        : 'perf has no permission to open events; a container needs --cap-add PERFMON';
    return { available: false, reason, install: null };
  }
  return {
    available: false,
    reason: `perf fails: ${findReason(output)}`,
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

/**
 * Probes an npm package that is installed on first use.
 *
 * @param {object} wanted
 * @param {string} wanted.name of the package
 * @param {string} wanted.version exact
 * @param {number} wanted.sizeMB on disk, with its dependencies
 * @param {string} [wanted.note] remark for the user
 * @param {RecorderHost} host
 * @returns {Promise<Probe>}
 */
export async function probePackage({ name, version, sizeMB, note }, host) {
  const words = note === undefined ? [] : [note];
  if (existsSync(locateTool(name, version, host))) {
    return { available: true, detail: [`${name} ${version}`, ...words].join('; ') };
  }
  if (findTool('npm', host.environment) === null) {
    const reason = `npm, which installs ${name} ${version}, is not installed`;
    return { available: false, reason, install: installWith('npm') };
  }
  const detail = `installed on first use (${name} ${version}, ${sizeMB} MB)`;
  return { available: true, detail: [detail, ...words].join('; ') };
}

/**
 * Probes a program of the system.
 *
 * @param {string} name of the program and of its Debian package
 * @param {RecorderHost} host
 * @returns {Promise<Probe>} with the version as detail
 */
export async function probeProgram(name, { environment }) {
  const install = installWith(name);
  const path = findTool(name, environment);
  if (path === null) return { available: false, reason: `${name} is not installed`, install };
  const { status, stdout } = await tryTool(path, ['--version'], {
    environment,
    timeoutMs: PROBE_TIMEOUT_MS,
  });
  const version = /\d+(?:\.\d+)+/.exec(stdout)?.[0];
  if (status !== 0 || version === undefined) {
    return { available: false, reason: `${path} --version prints no version`, install };
  }
  return { available: true, detail: `${name} ${version}` };
}

/**
 * For recorders of scope `node`, which are not selected for a family with its own program.
 *
 * @param {Pick<RecordContext, 'node'>} context
 * @returns {NonNullable<RecordContext['node']>}
 * @throws {Error} without node, which is a defect
 */
export function requireNode({ node }) {
  if (node === null) throw new Error('a recorder of scope node was given another program');
  return node;
}

const CLINIC = { name: 'clinic', version: '13.0.0', sizeMB: 156, note: 'no longer maintained' };
const CLINIC_TIMEOUT_MS = 180_000;

/** @type {(host: RecorderHost) => Promise<Probe>} */
export function probeClinic(host) {
  return probePackage(CLINIC, host);
}

/**
 * Runs a tool of Clinic, and installs Clinic before the first use. Each call needs its own directory:
 * Clinic fails if a working directory has logs of an earlier program.
 *
 * @param {string[]} args name of the tool, its options, and the program after `--`
 * @param {Pick<RecordContext, 'host' | 'signal'>} context
 * @param {string} directory absolute path
 * @returns {Promise<string>} standard output and standard error
 * @throws {MachineError} when the tool fails
 */
export async function runClinic(args, { host, signal }, directory) {
  const home = await installTool(CLINIC.name, CLINIC.version, host, signal);
  const program = join(home, 'node_modules', 'clinic', 'bin.js');
  const { stdout, stderr } = await runTool(process.execPath, [program, ...args], {
    environment: host.environment,
    variables: {
      // Without a terminal, Clinic waits for consent to telemetry and exits without doing anything.
      NO_INSIGHT: '1',
      NO_UPDATE_NOTIFIER: '1',
      XDG_CONFIG_HOME: join(directory, 'config'),
    },
    workingPath: directory,
    timeoutMs: CLINIC_TIMEOUT_MS,
    signal,
    name: `clinic ${args[0]}`,
  });
  return stdout + stderr;
}

/**
 * Links an executable as `node`, since Clinic refuses any other name.
 * @type {(executable: string, directory: string) => Promise<string>} path of the link
 */
export async function linkNode(executable, directory) {
  const path = join(directory, 'node');
  await symlink(executable, path);
  return path;
}

const STYLESHEET = /<link href="([^"]+)" rel="stylesheet" \/>/g;
const SCRIPT = /<script src="([^"]+)" type="text\/javascript"><\/script>/g;

/**
 * Embeds the style sheets and scripts of a page.
 *
 * @param {string} html
 * @param {(name: string) => string} readText reads a file in the directory of the page
 * @returns {string}
 */
export function inlinePage(html, readText) {
  return html
    .replaceAll(STYLESHEET, (_, name) => `<style>${readText(name)}</style>`)
    .replaceAll(SCRIPT, (_, name) => `<script>${escapeScript(readText(name))}</script>`);
}

/**
 * @param {string} source
 * @returns {string} an equivalent program without text that ends the script element or hides its end
 */
function escapeScript(source) {
  return source.replaceAll(/<(?=!--|\/?script)/gi, '\\x3C');
}

/** A page may load nothing but what is embedded. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline' data:; " +
  'img-src data:; font-src data:';
const REMOTE_STYLES = /https?:\/\/[^\s"'`<>()]+\.css(?=["'`])/g;

/**
 * Makes the page of another tool safe to publish. Remote style sheets become empty, a content security
 * policy forbids all other requests, and paths become relative to this checkout.
 * @type {(html: string) => string}
 */
export function sealPage(html) {
  const policy = `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  return html
    .replace(/<head>/i, policy)
    .replaceAll(REMOTE_STYLES, 'data:text/css,')
    .replaceAll(`file://${PROJECT.projectPath}/`, '')
    .replaceAll(`${PROJECT.projectPath}/`, '');
}

/**
 * Seals the page of another tool and stores it as an artefact.
 *
 * @param {string} pagePath
 * @param {string} path of the artefact
 */
export async function storePage(pagePath, path) {
  await writeFile(path, sealPage(await readFile(pagePath, 'utf8')));
}
