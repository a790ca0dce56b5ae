import { layOutDiagnoses, layOutFindings } from '../../../reports/support/terminal-doctor.js';
import { makePainter } from '../../../reports/support/paint.js';
import { listRecorders, openRecorderHost } from '../../profiling/recorders-found.js';
import { examineHost } from '../../host/examine-host.js';
import { MachineError } from '../../lib/errors.js';
import { EXIT } from '../../lib/exit-status.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { terminalOf } from '../publish.js';
import { findTool } from '../../host/tools.js';
import { findSandbox } from '../../run/sandbox/sandbox.js';

/** @import { Io } from '../cli.js' */
/** @import { Probe, RecorderHost } from '../../formats/types.ts' */
/** @import { Finding } from '../../../reports/support/terminal-doctor.js' */

/** Programs that are no recorders, the names that they go by and Debian's package. */
const PROGRAMS = [
  {
    name: 'chromium',
    summary: 'the browser that the tests of the HTML report run in',
    aliases: ['chromium', 'chromium-browser', 'google-chrome'],
    packageName: 'chromium',
  },
  {
    name: 'npm',
    summary: 'variants such as npm:PACKAGE@1.2.3, and tools that are installed when asked for',
    aliases: ['npm'],
    packageName: 'npm',
  },
  {
    name: 'git',
    summary: 'variants such as git:DIRECTORY@REVISION, --pr and bisecting commits',
    aliases: ['git'],
    packageName: 'git',
  },
  {
    name: 'gh',
    summary: 'sends the comment of just pr --post',
    aliases: ['gh'],
    packageName: 'gh',
  },
];

const SANDBOX_SUMMARY = 'runs workers apart from network, home and other processes: --sandbox';

/**
 * `just doctor`: what figures from this host may depend on, what can be recorded here, and what to
 * do about the rest. A host that is disturbed or a tool that is missing is no failure.
 *
 * @param {[]} _args
 * @param {{ json?: boolean }} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
export async function runCommand(_args, { json = false }, io) {
  // First of all: what looks for tools starts processes, which would count as disturbance.
  const host = await examineHost(io.environment);
  const sections = await lookForTools(openRecorderHost(io));
  if (json) {
    const tools = sections.flatMap(({ findings }) => findings);
    const data = { formatVersion: FORMAT_VERSION, ...host, tools };
    io.stdout.write(`${JSON.stringify(data, null, 2)}\n`);
    return EXIT.done;
  }
  const { width, color } = terminalOf(io);
  const terminal = { width, paint: makePainter(color) };
  const lines = [...layOutDiagnoses(host, terminal), ...layOutFindings(sections, terminal)];
  io.stdout.write(`${lines.join('\n')}\n`);
  return EXIT.done;
}

/**
 * @param {RecorderHost} host
 * @returns {Promise<{ title: string, findings: Finding[] }[]>}
 */
async function lookForTools(host) {
  const recorders = await listRecorders();
  const findings = await Promise.all(
    recorders.map(async ({ name, summary, processes, scope, probe }) => ({
      isAsked: processes === 0,
      finding: {
        name,
        summary: scope === 'process' ? `${summary} (in any language)` : summary,
        probe: await probe(host),
      },
    })),
  );
  const choose = (/** @type {boolean} */ asked) =>
    findings.flatMap(({ isAsked, finding }) => (isAsked === asked ? finding : []));
  return [
    { title: 'Recorded of every cell that differs', findings: choose(false) },
    { title: 'Recorded when asked for by name: --with NAME', findings: choose(true) },
    {
      title: 'Other tools',
      findings: [
        ...PROGRAMS.map((program) => findProgram(program, host)),
        { name: 'sandbox', summary: SANDBOX_SUMMARY, probe: await probeSandbox(host) },
      ],
    },
  ];
}

/**
 * @param {typeof PROGRAMS[number]} program
 * @param {RecorderHost} host
 * @returns {Finding}
 */
function findProgram({ name, summary, aliases, packageName }, { environment }) {
  const path = aliases.map((alias) => findTool(alias, environment)).find((one) => one !== null);
  /** @type {Probe} */
  const probe =
    path == null
      ? {
          available: false,
          reason: `there is no ${name}`,
          install: `apt-get install ${packageName}`,
        }
      : { available: true, detail: path };
  return { name, summary, probe };
}

/**
 * Tries it: that a program is there does not mean that the kernel lets it work.
 *
 * @param {RecorderHost} host
 * @returns {Promise<Probe>}
 */
async function probeSandbox({ environment }) {
  try {
    const { kind, executable } = await findSandbox(environment);
    const word = kind === 'bwrap' ? 'bubblewrap' : 'unshare, slower to start than bubblewrap';
    return { available: true, detail: `by ${word} (${executable})` };
  } catch (error) {
    if (!(error instanceof MachineError)) throw error;
    return { available: false, reason: error.message, install: error.remedy ?? null };
  }
}
