import { describe, expect, jest, test } from '@jest/globals';
import { recordedRun } from '../../../reports/support/recorded-runs.js';
import { MachineError } from '../../lib/errors.js';
import { findRecordedNode } from './find-recorded-node.js';

/** @import { ReplayRecord } from '../../formats/types.ts' */

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
    expect(found.note).toMatch(/Node 22.11.0, which cannot be had here: no network/);
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
