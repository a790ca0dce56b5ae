import { dirname } from 'node:path';
import { renderHtml } from '../../../../reports/html.js';
import { makeReproduction } from '../../../../reports/content/test-support/make-reproduction.js';
import { REPLAY_END, REPLAY_START } from '../../../formats/replay-marks.js';
import { recordedRun } from '../../../../reports/support/recorded-runs.js';
import { describeClaims } from '../../../../reports/content/claims.js';
import { describeReproduction } from '../../../../reports/content/reproduction.js';
import { renderHtml as renderPage } from '../../../../reports/document/html.js';
import { renderMarkdown } from '../../../../reports/document/markdown.js';
import { renderTerminal } from '../../../../reports/document/terminal.js';
import { readClaims } from '../../../studies/claims/claims.js';
import { recallResults } from '../../../studies/claims/reproduction.js';
import { REPRODUCTION, readStudy } from '../../../studies/study.js';
import { FORMAT_VERSION } from '../../../formats/format-version.js';
import { PROJECT } from '../../../lib/project.js';
import { checkCells, checkQuestion } from '../../../studies/replay/question.js';
import { mapVariants } from '../../../studies/replay/map-variants.js';
import { readReport } from '../../../studies/replay/report.js';
import { makeRecord } from '../../../studies/replay/test-support/make-record.js';
import { findFamily, listFamilies } from '../../../variants/families.js';

/** @import { FileFormat } from './types.ts' */

/** Characters. */
const AROUND = 200;
const TERMINAL = { width: 100, color: true };
const { sources, told } = makeReproduction();
const claims = told.map(({ claim }) => claim);
const record = await makeRecord();
const { verdict } = recordedRun('faster');
const page = { ...recordedRun('faster'), verdict: { ...verdict, replay: record } };
const families = await listFamilies(PROJECT.experimentsPath);
const family = findFamily(families, record.question.family);

/** @type {FileFormat[]} documents with a schema of their own, beside those of a run */
export const formats = [
  {
    name: 'claims.json of a family',
    fileName: 'claims.json',
    samples: [toJson({ formatVersion: FORMAT_VERSION, family: 'family', sources, claims })],
    async read(folder) {
      const found = await readClaims([/** @type {any} */ ({ name: 'family', path: folder })]);
      return renderTerminal(describeClaims({ ...found, results: {} }), TERMINAL);
    },
  },
  {
    name: 'claims.json of this host',
    fileName: 'claims.json',
    samples: [toJson(makeRemembered())],
    async read(_folder, path) {
      return renderTerminal(
        describeClaims({ sources, claims, results: recallResults(path) }),
        TERMINAL,
      );
    },
    neverRefuses: true,
  },
  {
    name: 'reproduction.json',
    fileName: 'reproduction.json',
    samples: [toJson(makeReproduction())],
    isSlow: true,
    async read(folder) {
      const reproduction = await readStudy(REPRODUCTION, folder);
      const document = describeReproduction(reproduction);
      for (const render of [renderTerminal, renderMarkdown, renderPage]) {
        render(document);
      }
    },
  },
  {
    name: 'replay record of a verdict.json',
    fileName: 'verdict.json',
    samples: [toJson({ ...verdict, replay: record })],
    isNamedByCaller: true,
    read: (folder, path) => replay(dirname(path), folder),
  },
  {
    name: 'replay record of a report.html',
    fileName: 'report.html',
    samples: [cutAround(renderHtml(page))],
    isNamedByCaller: true,
    read: (_folder, path) => replay(path, path),
  },
];

/**
 * All that is done with a record before anything is resolved, which would install packages.
 *
 * @param {string} path
 * @param {string} typed
 */
async function replay(path, typed) {
  const found = await readReport(path, typed);
  checkQuestion(found.question);
  const named = findFamily(families, found.question.family);
  await checkCells(found, named, PROJECT.corporaPath);
  return mapVariants(found, family, []);
}

/**
 * @param {string} html
 * @returns {Buffer} the record and a little of the page around it
 */
function cutAround(html) {
  const start = html.indexOf(REPLAY_START);
  return Buffer.from(html.slice(start - AROUND, html.indexOf(REPLAY_END, start) + AROUND));
}

function makeRemembered() {
  const results = claims.map(({ id }) => ({
    id,
    verdict: 'reproduced',
    measuredAt: '2026-01-02T03:04:05.678Z',
    node: '20.20.2',
    run: 'reports/runs/x',
  }));
  return { formatVersion: FORMAT_VERSION, results };
}

/** @param {unknown} value */
function toJson(value) {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
