import { FORMAT_VERSION } from '../../formats/format-version.js';
import { EXIT, MachineError } from '../../lib/errors.js';
import { PROGRAM } from '../../lib/program.js';
import { flag, FORMAT, FULL, printedFormat } from '../options.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */
/** @import { Finding } from '../../../reports/content/doctor.js' */
/** @import { Probe, RecorderHost } from '../../formats/types.ts' */

const OPTIONS = {
  format: FORMAT,
  full: FULL,
  json: flag('--json', 'the same as --format json'),
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'show what on this host affects measurements, which tools there are, and what to do',
  options: OPTIONS,
  run,
};

/** Programs other than recorders, with their names and their package in Debian. */
const PROGRAMS = [
  {
    name: 'chromium',
    summary:
      'a runtime to measure with on Linux, --runtime chromium; tests of the HTML report run in it',
    aliases: ['chromium', 'chromium-browser', 'google-chrome'],
    packageName: 'chromium',
  },
  {
    name: 'npm',
    summary: 'variants such as npm:PACKAGE@1.2.3, and tools that are installed on first use',
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
    summary: `sends the comment of ${PROGRAM} pr --post`,
    aliases: ['gh'],
    packageName: 'gh',
  },
];

const SANDBOX_SUMMARY = 'runs workers apart from network, home and other processes: --sandbox';

/**
 * A noisy host or a missing tool is not a failure.
 * @type {(_args: [], options: OptionValues<typeof OPTIONS>, io: Io) => Promise<number>} exit status
 */
async function run(_args, { json = false, ...options }, io) {
  const { describeDoctor } = await import('../../../reports/content/doctor.js');
  const { formatFinding } = await import('../publish.js');
  const { examineHost } = await import('../../host/environment.js');
  const { openRecorderHost } = await import('../../profiling/recorder-registry.js');

  // First, because looking for tools starts processes, which would count as noise.
  const host = await examineHost(io.environment);
  const sections = await lookForTools(openRecorderHost(io));
  const tools = sections.flatMap(({ findings }) => findings);
  const data = { formatVersion: FORMAT_VERSION, ...host, tools };
  const finding = { document: describeDoctor(host, sections), data };
  io.stdout.write(await formatFinding(finding, json ? 'json' : printedFormat(options), io));
  return EXIT.done;
}

/** @type {(host: RecorderHost) => Promise<{ title: string, findings: Finding[] }[]>} */
async function lookForTools(host) {
  const { findTool, installWith } = await import('../../host/tools.js');
  const { listRecorders } = await import('../../profiling/recorder-registry.js');
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
        ...PROGRAMS.map((program) =>
          findProgram({ ...program, install: installWith(program.packageName) }, (name) =>
            findTool(name, host.environment),
          ),
        ),
        { name: 'sandbox', summary: SANDBOX_SUMMARY, probe: await probeSandbox(host) },
      ],
    },
  ];
}

/** @type {(program: typeof PROGRAMS[number] & { install: string | null }, find: (name: string) => string | null) => Finding} */
function findProgram({ name, summary, aliases, install }, find) {
  const path = aliases.map(find).find((one) => one !== null);
  /** @type {Probe} */
  const probe =
    path == null
      ? { available: false, reason: `there is no ${name}`, install }
      : { available: true, detail: path };
  return { name, summary, probe };
}

/**
 * Tries a sandbox, because the kernel may forbid it although the program is installed.
 * @type {(host: RecorderHost) => Promise<Probe>}
 */
async function probeSandbox({ environment }) {
  const { findSandbox } = await import('../../run/sandbox.js');
  try {
    const { kind, executable } = await findSandbox(environment);
    const word = kind === 'bwrap' ? 'bubblewrap' : 'unshare, slower to start than bubblewrap';
    return { available: true, detail: `by ${word} (${executable})` };
  } catch (error) {
    if (!(error instanceof MachineError)) throw error;
    return { available: false, reason: error.message, install: error.remedy ?? null };
  }
}
