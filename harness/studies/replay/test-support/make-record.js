import { identifyEnvironment } from '../../../host/environment.js';
import { FORMAT_VERSION } from '../../../formats/format-version.js';
import { prepareComparison } from '../../../run/prepare.js';
import { identifyAssay, PROJECT } from '../../../lib/project.js';
import { scriptJobs } from '../../../testing/support/scripted-jobs.js';
import { findFamily, listFamilies } from '../../../variants/families.js';

/** @import { Question, ReplayRecord } from '../../../formats/types.ts' */

/** @type {Question} */
const QUESTION = {
  family: 'js-bson',
  baseline: 'recursive',
  candidates: ['npm:bson@7.3.4'],
  cells: [{ id: 'serialize deep', operation: 'serialize', corpus: 'deep' }],
  minimumEffect: 0.03,
  alpha: 0.05,
  looks: [4, 8],
  budgetSeconds: 1,
  seed: 7,
  mode: 'default',
  nodeFlags: [],
  memory: 'none',
  acceptedRows: [],
  explain: 'none',
  recorders: [],
};

/**
 * A record that this checkout can replay. Used by tests only.
 * @type {() => Promise<ReplayRecord>}
 */
export async function makeRecord() {
  const families = await listFamilies(PROJECT.experimentsPath);
  const family = findFamily(families, QUESTION.family);
  const io = {
    workingPath: PROJECT.projectPath,
    signal: AbortSignal.abort(),
    stderr: { write: () => true },
    environment: {},
    runJob: scriptJobs(),
  };
  const { variants, corpora } = await prepareComparison(QUESTION, { families, family, io });
  const { baseline } = variants;
  const [candidate] = variants.candidates;
  return {
    formatVersion: FORMAT_VERSION,
    runId: '20261121-101502-recursive-vs-bson',
    createdAt: '2026-11-21T10:15:02.417Z',
    assay: identifyAssay(),
    question: QUESTION,
    variants: {
      baseline: { spec: baseline.spec, kind: 'built-in', digest: baseline.digest },
      candidates: [
        {
          spec: candidate.spec,
          kind: 'npm',
          digest: candidate.digest,
          version: '7.3.4',
          integrity: candidate.integrity ?? '',
        },
      ],
    },
    corpora: corpora.map(({ label, digest, documentCount }) => ({ label, digest, documentCount })),
    runtimes: [],
    environment: identifyEnvironment(),
    results: [
      {
        cellId: 'serialize deep',
        verdict: 'slower',
        ratio: { estimate: 1.2, low: 1.1, high: 1.3 },
      },
    ],
  };
}
