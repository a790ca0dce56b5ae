import { layOutFindings } from '../../reports/support/terminal-doctor.js';
import { makePainter } from '../../reports/support/paint.js';
import { openRecorderHost } from '../choose-recorders.js';
import { EXIT } from '../exit-status.js';
import { listRecorders } from '../list-recorders.js';
import { terminalOf } from '../publish-run.js';
import { findTool } from '../recorders/support/find-tool.js';

/** @import { Io } from '../cli.js' */
/** @import { Probe, RecorderHost } from '../types.ts' */
/** @import { Finding } from '../../reports/support/terminal-doctor.js' */

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
];

/**
 * `just doctor`: what can be recorded here, and what to install for the rest. A tool that is missing
 * is no failure.
 *
 * @param {[]} _args
 * @param {object} _options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
export async function runCommand(_args, _options, io) {
  const { width, color } = terminalOf(io);
  const host = openRecorderHost(io);
  const recorders = await listRecorders();
  const findings = await Promise.all(
    recorders.map(async ({ name, summary, processes, scope, probe }) => ({
      name,
      summary: scope === 'process' ? `${summary} (in any language)` : summary,
      isAsked: processes === 0,
      probe: await probe(host),
    })),
  );
  const lines = layOutFindings(
    [
      { title: 'Recorded of every cell that differs', findings: findings.filter(isUnasked) },
      {
        title: 'Recorded when asked for by name: --with NAME',
        findings: findings.filter((finding) => !isUnasked(finding)),
      },
      { title: 'Other tools', findings: PROGRAMS.map((program) => findProgram(program, host)) },
    ],
    { width, paint: makePainter(color) },
  );
  io.stdout.write(`${lines.join('\n')}\n`);
  return EXIT.done;
}

/** @param {{ isAsked: boolean }} finding */
function isUnasked({ isAsked }) {
  return !isAsked;
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
