import { existsSync, readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findReason, findTool, runTool, tryTool } from '../../../host/tools.js';
import { MachineError } from '../../../lib/errors.js';
import { makeOnce } from '../../../variants/cache.js';
import { NpmError, runNpm } from '../../../variants/npm.js';

/** @import { Probe, RecordContext, RecorderHost } from '../../../formats/types.ts' */

const INSTALL_TIMEOUT_MS = 300_000;
const INSTALL_ARGS = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];

/**
 * Where an npm package lies that serves as a tool, whether it is there yet or not.
 *
 * @param {string} name of the package
 * @param {string} version exact
 * @param {Pick<RecorderHost, 'toolsPath'>} host
 * @returns {string} absolute path of the directory that has its `node_modules`
 */
export function locateTool(name, version, { toolsPath }) {
  return join(toolsPath, `${name.replace('/', '+')}@${version}`);
}

/**
 * Installs one exact version of an npm package with all that it needs, without running scripts of
 * any of them. Done at once where it is there; never half there.
 *
 * @param {string} name of the package
 * @param {string} version exact
 * @param {RecorderHost} host
 * @param {AbortSignal} [signal] ends the installation
 * @returns {Promise<string>} absolute path of the directory that has its `node_modules`
 * @throws {MachineError} when npm fails, with the command that does the same
 */
export async function installTool(name, version, host, signal) {
  const home = locateTool(name, version, host);
  await makeOnce(home, async (staging) => {
    await writeFile(join(staging, 'package.json'), '{ "private": true }\n');
    try {
      await runNpm([...INSTALL_ARGS, '--prefix', staging, `${name}@${version}`], {
        // For its settings and proxies.
        env: { ...host.environment, NODE_OPTIONS: undefined },
        timeoutMs: INSTALL_TIMEOUT_MS,
        signal,
      });
    } catch (cause) {
      if (!(cause instanceof NpmError)) throw cause;
      throw new MachineError(`npm could not install ${name}@${version}: ${cause.message}`, {
        cause,
        remedy: `see what it says to: npm ${[...INSTALL_ARGS, '--prefix', home].join(' ')} ${name}@${version}`,
      });
    }
  });
  return home;
}

const PROBE_TIMEOUT_MS = 5_000;
const INSTALL_PERF = 'apt-get install linux-perf';

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
    return { available: false, reason: 'there is no perf', install: INSTALL_PERF };
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
    return { available: false, reason, install: INSTALL_PERF };
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

/**
 * The probe of an npm package that is installed when it is asked for.
 *
 * @param {object} wanted
 * @param {string} wanted.name of the package
 * @param {string} wanted.version exact
 * @param {number} wanted.sizeMB on disk, with all that it needs
 * @param {string} [wanted.note] what to know before asking for it
 * @param {RecorderHost} host
 * @returns {Promise<Probe>}
 */
export async function probePackage({ name, version, sizeMB, note }, host) {
  const words = note === undefined ? [] : [note];
  if (existsSync(locateTool(name, version, host))) {
    return { available: true, detail: [`${name} ${version}`, ...words].join('; ') };
  }
  if (findTool('npm', host.environment) === null) {
    const reason = `there is no npm to install ${name} ${version} with`;
    return { available: false, reason, install: 'apt-get install npm' };
  }
  const detail = `installed when asked for (${name} ${version}, ${sizeMB} MB)`;
  return { available: true, detail: [detail, ...words].join('; ') };
}

/**
 * The probe of a program that the system brings.
 *
 * @param {string} name of the program and of Debian's package
 * @param {RecorderHost} host
 * @returns {Promise<Probe>} with the version as detail
 */
export async function probeProgram(name, { environment }) {
  const install = `apt-get install ${name}`;
  const path = findTool(name, environment);
  if (path === null) return { available: false, reason: `there is no ${name}`, install };
  const { status, stdout } = await tryTool(path, ['--version'], {
    environment,
    timeoutMs: PROBE_TIMEOUT_MS,
  });
  const version = /\d+(?:\.\d+)+/.exec(stdout)?.[0];
  if (status !== 0 || version === undefined) {
    return { available: false, reason: `${path} does not tell its version`, install };
  }
  return { available: true, detail: `${name} ${version}` };
}

/**
 * For recorders whose scope is `node`, which are not chosen where a program of a family's own measures.
 *
 * @param {Pick<RecordContext, 'node'>} context
 * @returns {NonNullable<RecordContext['node']>}
 * @throws {Error} when there is no node, which is a defect
 */
export function requireNode({ node }) {
  if (node === null) throw new Error('a recorder that looks into node was given another program');
  return node;
}

const CLINIC = { name: 'clinic', version: '13.0.0', sizeMB: 156, note: 'no longer maintained' };
const CLINIC_TIMEOUT_MS = 180_000;

/**
 * The probe of the tools of clinic.
 *
 * @param {RecorderHost} host
 * @returns {Promise<Probe>}
 */
export function probeClinic(host) {
  return probePackage(CLINIC, host);
}

/**
 * Runs a tool of clinic, installed first where it is not there yet, in a directory of its own: it
 * stops at logs that an earlier program left in its working directory.
 *
 * @param {string[]} args name of the tool, its settings, and after `--` the program
 * @param {Pick<RecordContext, 'host' | 'signal'>} context
 * @param {string} directory absolute path
 * @returns {Promise<string>} what it printed
 * @throws {MachineError} when it fails
 */
export async function runClinic(args, { host, signal }, directory) {
  const home = await installTool(CLINIC.name, CLINIC.version, host, signal);
  const program = join(home, 'node_modules', 'clinic', 'bin.js');
  const { stdout, stderr } = await runTool(process.execPath, [program, ...args], {
    environment: host.environment,
    variables: {
      // Away from a terminal it waits for leave to report its use, and ends having done nothing.
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
 * clinic refuses a program that is not called node.
 *
 * @param {string} executable
 * @param {string} directory
 * @returns {Promise<string>} the same one under that name
 */
export async function linkNode(executable, directory) {
  const path = join(directory, 'node');
  await symlink(executable, path);
  return path;
}
