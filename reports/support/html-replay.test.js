import { describe, expect, test } from '@jest/globals';
import { recordedRun } from './recorded-runs.js';
import { REPLAY_END, REPLAY_START } from '../../harness/formats/replay-marks.js';
import { replayData } from './html-replay.js';

const { replay } = recordedRun('faster').verdict;

describe('the replay record in a page', () => {
  test('is JSON of the same value in plain ASCII', () => {
    const record = { ...replay, runId: 'größe \u202e 💥 & <!-- </script> \u0000' };
    const { text } = replayData(record);
    expect(text).toMatch(/^[ -~]+$/);
    const json = text.slice(REPLAY_START.length, -REPLAY_END.length);
    expect(JSON.parse(json)).toEqual(record);
    expect(json).not.toMatch(/[<>&]/);
  });

  test('is a block of data, which no browser runs', () => {
    expect(REPLAY_START).toContain('type="application/json"');
  });
});
