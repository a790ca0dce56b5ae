/** What the families need, and whether it is there. */

/** @import { SetUp, Tool } from '../../harness/formats/types.ts' */
/** @import { Fact, Section } from '../document/model.ts' */

import { formatDuration } from '../../harness/lib/numbers.js';
import { PROGRAM } from '../../harness/lib/program.js';
import { factList, paragraph } from './build.js';

/**
 * What families need, without looking for it.
 * @type {(families: { name: string, toolchain: Tool[] }[]) => Section}
 */
export function needsSection(families) {
  return {
    id: 'needs',
    title: 'Needs',
    untitled: ['terminal'],
    blocks: [
      factList(
        families.map(({ name, toolchain }) => {
          const needs = toolchain.map(nameTool).join(', ');
          return [name, `needs ${needs === '' ? 'nothing' : needs}`];
        }),
      ),
      paragraph(`Build what is missing with: ${PROGRAM} setup NAME, or ${PROGRAM} setup --all`),
    ],
  };
}

/**
 * @param {SetUp} setUp
 * @param {number} nameWidth characters, so that families that are printed one by one are aligned
 * @returns {Section}
 */
export function setUpSection(setUp, nameWidth) {
  const name = setUp.name.padEnd(nameWidth);
  return {
    id: setUp.name,
    title: setUp.name,
    untitled: ['terminal'],
    blocks: [factList([describeSetUp(name, setUp)]), ...outputOf(setUp)],
  };
}

/** @type {(name: string, setUp: SetUp) => Fact} */
function describeSetUp(name, setUp) {
  switch (setUp.outcome) {
    case 'ready':
      return [name, { tone: 'good', text: `ready: ${describeReady(setUp)}` }];
    case 'missing':
      return [name, { tone: 'doubtful', text: describeMissing(setUp.missing) }];
    default:
      return [name, { tone: 'bad', text: `failed: ${setUp.message.split('\n', 1)[0]}` }];
  }
}

/** @type {(setUp: SetUp) => Section['blocks']} what a failed build printed, and the remedy */
function outputOf(setUp) {
  if (setUp.outcome !== 'failed') return [];
  const output = setUp.message.split('\n').slice(1).join('\n');
  return [
    .../** @type {Section['blocks']} */ (output === '' ? [] : [{ kind: 'output', text: output }]),
    ...(setUp.remedy === null ? [] : [paragraph(setUp.remedy)]),
  ];
}

/**
 * The closing line, which continuous integration counts by.
 * @type {(setUps: SetUp[]) => string} `2 ready, 1 cannot run here`
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

/** @param {Extract<SetUp, { outcome: 'ready' }>} setUp */
function describeReady({ toolchain, buildMs }) {
  const versions = Object.entries(toolchain).map(([name, version]) => `${name} ${version}`);
  if (versions.length === 0) return 'needs nothing';
  const when = buildMs === null ? 'built before' : `built in ${formatDuration(buildMs)}`;
  return `${versions.join(', ')}; ${when}`;
}

/** @param {Extract<SetUp, { outcome: 'missing' }>['missing']} missing */
function describeMissing(missing) {
  const needs = missing.map(
    ({ tool, found }) => `${nameTool(tool)} (${found === null ? 'not found' : `found ${found}`})`,
  );
  const installs = [...new Set(missing.map(({ tool }) => tool.install))];
  return `cannot run here: needs ${needs.join(' and ')}; install: ${installs.join('; ')}`;
}

/** @param {Tool} tool */
function nameTool({ name, leastVersion }) {
  return `${name}\u00a0≥\u00a0${leastVersion}`;
}
