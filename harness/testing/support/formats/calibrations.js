import { describeCalibration } from '../../../../reports/content/calibration.js';
import { describePeers } from '../../../../reports/content/peers.js';
import { makePeers } from '../../../../reports/content/test-support/make-peers.js';
import { renderMarkdown } from '../../../../reports/document/markdown.js';
import { renderTerminal } from '../../../../reports/document/terminal.js';
import { analyseCalibration } from '../../../stats/calibration/calibration.js';
import { citeProfile, makeProfile, readProfile } from '../../../host/calibration-record.js';
import { readCalibration } from '../../../studies/calibration/store.js';
import { PEERS, readStudy } from '../../../studies/study.js';
import { makeCalibration } from '../../../studies/calibration/test-support/made-up-calibration.js';
import { makeWhole } from '../../../studies/shards/test-support/make-shards.js';
import { FORMAT_VERSION } from '../../../formats/format-version.js';

/** @import { LayoutObservation, ObservationDone } from '../../../formats/types.ts' */
/** @import { FileFormat } from './types.ts' */

const MOST_TRIALS = 5;
const MOST_OBSERVATIONS = 30;
const { calibration, trials } = makeCalibration();
const profile = makeProfile(calibration, trials);
const { environment } = calibration;
const [trial] = trials;
const measured = /** @type {ObservationDone[]} */ (
  makeWhole()
    .observations.filter(({ outcome }) => outcome === 'done')
    .slice(0, MOST_OBSERVATIONS)
);

/** @type {Record<string, Buffer>} by path within the directory of a calibration */
const FILES = {
  'calibration.json': Buffer.from(JSON.stringify(calibration)),
  'trials.ndjson': toLines(trials.slice(0, MOST_TRIALS)),
  'observations.ndjson': toLines(
    measured.map((one) => ({
      ...one,
      cellId: trial.cellId,
      jobId: `${trial.number}/${one.jobId}`,
    })),
  ),
  'layouts.ndjson': toLines(makeLayoutObservations()),
};

/** @type {FileFormat[]} what a calibration and a comparison of tools leave, and what is remembered */
export const formats = [
  {
    name: 'the profile of this host',
    fileName: 'calibration.json',
    samples: [Buffer.from(JSON.stringify(profile))],
    neverRefuses: true,
    async read(_folder, path) {
      const found = readProfile(path);
      const run = { mode: /** @type {const} */ ('default'), environment, ageDays: 1 };
      return found === null ? null : citeProfile(found, run);
    },
  },
  ...Object.entries(FILES).map(([fileName, bytes]) => ({
    name: `${fileName} of a calibration`,
    fileName,
    samples: [bytes],
    neighbours: FILES,
    isSlow: true,
    read: drawCalibration,
  })),
  {
    name: 'peers.json',
    fileName: 'peers.json',
    samples: [Buffer.from(JSON.stringify(makePeers()))],
    async read(folder) {
      return renderTerminal(describePeers(await readStudy(PEERS, folder)));
    },
  },
];

/**
 * As `just report DIRECTORY` does.
 *
 * @param {string} path
 */
async function drawCalibration(path) {
  const { calibration: head, ...rest } = await readCalibration(path);
  const judged = analyseCalibration({ head, ...rest });
  const document = describeCalibration(judged);
  return [renderTerminal(document), renderMarkdown(document)];
}

/** @returns {LayoutObservation[]} of two layouts */
function makeLayoutObservations() {
  return measured.map(({ outputDigest, measurement }, index) => ({
    formatVersion: FORMAT_VERSION,
    id: `layout/${trial.cellId}/${index}`,
    cellId: trial.cellId,
    arm: 'baseline',
    layout: index % 2,
    block: index >> 1,
    position: index % 2,
    startedAtMs: index,
    workerMs: 100,
    outcome: 'done',
    outputDigest,
    measurement,
  }));
}

/** @param {unknown[]} values */
function toLines(values) {
  return Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}
