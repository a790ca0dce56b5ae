/** What the families need and whether it is there, for a terminal. */

/** @import { Tool } from '../../harness/formats/types.ts' */
/** @import { Tone } from '../types.ts' */

import { formatDuration } from '../../harness/lib/numbers.js';
import { wrapText } from '../../harness/lib/wrap.js';

/**
 * What came of setting a family up.
 *
 * @typedef {{ name: string } & (
 *   | {
 *       outcome: 'ready',
 *       toolchain: Record<string, string>,
 *       buildMs: number | null,
 *     }
 *   | { outcome: 'missing', missing: { tool: Tool, found: string | null }[] }
 *   | { outcome: 'failed', message: string, remedy: string | null }
 * )} SetUp `toolchain` has exact versions by name, none where nothing is built; `buildMs` is null for
 *   what was built before
 */

/**
 * @typedef {object} Page
 * @property {number} width columns
 * @property {number} nameWidth columns of the longest name of a family
 * @property {(text: string, tone: Tone) => string} paint
 */

/**
 * Tells what came of one family.
 *
 * @param {SetUp} setUp
 * @param {Page} page
 * @returns {string[]} lines
 */
export function layOutSetUp(setUp, page) {
  switch (setUp.outcome) {
    case 'ready':
      return layOutRow(setUp.name, `ready: ${tellReady(setUp)}`, 'good', page);
    case 'missing':
      return layOutRow(setUp.name, tellMissing(setUp.missing), 'doubtful', page);
    default: {
      const [first, ...rest] = setUp.message.split('\n');
      return [
        ...layOutRow(setUp.name, `failed: ${first}`, 'bad', page),
        ...rest,
        ...(setUp.remedy === null ? [] : [`  ${setUp.remedy}`]),
      ];
    }
  }
}

/**
 * The closing line, which continuous integration counts by.
 *
 * @param {SetUp[]} setUps
 * @returns {string} `2 ready, 1 cannot run here`
 */
export function countSetUps(setUps) {
  /** @param {SetUp['outcome']} outcome */
  const count = (outcome) => setUps.filter((setUp) => setUp.outcome === outcome).length;
  const [missing, failed] = [count('missing'), count('failed')];
  return [
    `${count('ready')} ready`,
    ...(missing === 0 ? [] : [`${missing} cannot run here`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
  ].join(', ');
}

/**
 * Tells what families need, without looking for it.
 *
 * @param {{ name: string, toolchain: Tool[] }[]} families
 * @param {Page} page
 * @returns {string[]} lines
 */
export function layOutNeeds(families, page) {
  return [
    ...families.flatMap(({ name, toolchain }) => {
      const needs = toolchain.map(tellTool).join(', ');
      return layOutRow(name, `needs ${needs === '' ? 'nothing' : needs}`, 'plain', page);
    }),
    '',
    ...wrapText('Build what is missing with: just setup NAME, or just setup --all', page.width),
  ];
}

/** @param {Extract<SetUp, { outcome: 'ready' }>} setUp */
function tellReady({ toolchain, buildMs }) {
  const versions = Object.entries(toolchain).map(([name, version]) => `${name} ${version}`);
  if (versions.length === 0) return 'needs nothing';
  const when = buildMs === null ? 'built before' : `built in ${formatDuration(buildMs)}`;
  return `${versions.join(', ')}; ${when}`;
}

/** @param {Extract<SetUp, { outcome: 'missing' }>['missing']} missing */
function tellMissing(missing) {
  const needs = missing.map(
    ({ tool, found }) => `${tellTool(tool)} (${found === null ? 'not found' : `found ${found}`})`,
  );
  const installs = [...new Set(missing.map(({ tool }) => tool.install))];
  return `cannot run here: needs ${needs.join(' and ')}; install: ${installs.join('; ')}`;
}

/** @param {Tool} tool */
function tellTool({ name, leastVersion }) {
  return `${name}\u00a0≥\u00a0${leastVersion}`;
}

/**
 * @param {string} name
 * @param {string} text
 * @param {Tone} tone
 * @param {Page} page
 * @returns {string[]}
 */
function layOutRow(name, text, tone, { width, nameWidth, paint }) {
  const next = ' '.repeat(nameWidth + 2);
  const lines = wrapText(text, width, { first: name.padEnd(nameWidth + 2), next });
  return lines.map((line) => line.slice(0, next.length) + paint(line.slice(next.length), tone));
}
