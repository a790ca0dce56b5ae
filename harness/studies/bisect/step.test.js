import { describe, expect, test } from '@jest/globals';
import { judgeStep } from './step.js';
import { makeStep } from './test-support/fixtures.js';

/** @import { ArmComparison, ContractRow } from '../../formats/types.ts' */

/**
 * @param {number} low
 * @param {number} high
 */
function between(low, high) {
  return /** @type {ArmComparison} */ ({ ratio: { estimate: Math.sqrt(low * high), low, high } });
}

describe('in the search the interval is held against the boundary', () => {
  test.each([
    ['above it', between(1.21, 1.4), 'bad'],
    ['below it', between(1.02, 1.19), 'good'],
    ['around it', between(1.1, 1.3), 'unsettled'],
  ])('%s', (_, effect, answer) => {
    // The usual rule calls all three slower.
    expect(judgeStep(makeStep({ effect }), 1.2).answer).toBe(answer);
  });

  test('an inconclusive ratio to the good end settles it all the same', () => {
    const step = makeStep({ verdict: 'inconclusive', effect: between(0.9, 1.1) });
    expect(judgeStep(step, 1.2)).toMatchObject({ answer: 'good', reason: null });
  });

  test('three processes a side settle nothing', () => {
    const processes = { baseline: 12, candidate: 3, control: 12 };
    const judged = judgeStep(makeStep({ processes, effect: between(2, 3) }), 1.2);
    expect(judged).toMatchObject({ answer: 'unsettled', processes: 3 });
  });
});

describe('by the usual rule', () => {
  test.each([
    ['slower', 'bad'],
    ['faster', 'good'],
    ['equivalent', 'good'],
    ['inconclusive', 'unsettled'],
  ])('%s is %s', (verdict, answer) => {
    const step = makeStep({ verdict: /** @type {'slower'} */ (verdict) });
    expect(judgeStep(step, null).answer).toBe(answer);
  });
});

describe('whatever the figures', () => {
  test('a disturbed control leaves the step without an answer', () => {
    const judged = judgeStep(makeStep({ verdict: 'untrusted' }), 1.2);
    expect(judged).toMatchObject({ answer: 'unsettled', reason: expect.stringMatching(/control/) });
  });

  test('so does an interrupt', () => {
    const judged = judgeStep(makeStep({}, { ended: 'interrupted' }), 1.2);
    expect(judged).toMatchObject({ answer: 'unsettled', reason: 'interrupted' });
  });

  test('wrong bytes make it unusable, and the reason says where', () => {
    const difference = { variant: 'npm:codec@1.2.0', cellId: 'serialize flat', document: 3 };
    const differences = [{ ...difference, path: 'a.b', expected: '1', found: '2' }];
    const judged = judgeStep(makeStep({ verdict: 'refused' }, { differences }), 1.2);
    expect(judged.answer).toBe('unusable');
    expect(judged.reason).toMatch(/npm:codec@1\.2\.0, document 3, a\.b/);
  });

  test('a breach of the contract does too, but for an accepted row', () => {
    /** @param {string} name @returns {ContractRow} */
    const row = (name) => ({ theme: '', name, promise: '', outcome: 'fails', detail: null });
    const contracts = {
      'npm:codec@1.0.0': [row('cycles')],
      'npm:codec@1.2.0': [row('known'), row('key-order'), row('cycles')],
    };
    const judged = judgeStep(makeStep({ verdict: 'refused' }, {}, contracts), 1.2);
    expect(judged.answer).toBe('unusable');
    expect(judged.reason).toBe(
      'breaks the behaviour contract: cycles (npm:codec@1.0.0); key-order,cycles (npm:codec@1.2.0)',
    );
  });

  test('a job that never measured makes it unusable; one that did in the end does not', () => {
    const failure = { reason: /** @type {const} */ ('signal'), detail: 'ended by SIGKILL' };
    const job = { jobId: 'serialize flat/000/1/candidate', failedAttempts: 1 };
    /** @param {boolean} measured */
    const judge = (measured) => {
      const failedJobs = [{ ...job, measured, failure: { ...failure, lastLines: [] } }];
      return judgeStep(makeStep({}, { failedJobs }), 1.2);
    };
    expect(judge(false)).toMatchObject({
      answer: 'unusable',
      reason: 'a job ended by SIGKILL (serialize flat/000/1/candidate)',
    });
    expect(judge(true).answer).toBe('bad');
  });
});
