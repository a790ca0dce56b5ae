import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EXIT } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { validate } from '../../formats/schemas.js';
import { expectStatus } from '../../testing/support/expect-status.js';
import { callAssay, makeProject } from '../../testing/support/project.js';
import { testLong } from '../../testing/support/gates.js';
import { scriptJobs } from '../../testing/support/scripted-jobs.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

/** @import { ReplayResult } from '../../formats/types.ts' */

const directory = makeTestDirectory('clone');

testLong('a report is replayed from its page alone in another clone', async () => {
  const cell = ['--op', 'serialize', '--corpus', 'deep', '--processes', '16', '--explain', 'none'];
  const question = ['recursive', 'generator', ...cell, '--placements', '0', '--seed', '7'];
  const runJob = scriptJobs({ factor: ({ variant }) => (variant.spec === 'generator' ? 0.8 : 1) });
  await callAssay(['compare', ...question, '--out', 'runs'], { workingPath: directory, runJob });
  const [runId = ''] = readdirSync(join(directory, 'runs'));
  const elsewhere = join(directory, 'elsewhere');
  mkdirSync(elsewhere);
  const page = join(elsewhere, 'from a colleague.html');
  cpSync(join(directory, 'runs', runId, 'report.html'), page);
  rmSync(join(directory, 'runs'), { recursive: true });

  const clone = join(directory, 'clone');
  makeProject(
    clone,
    ['js-bson', 'support'].map((name) => join(PROJECT.experimentsPath, name)),
  );
  const args = ['replay', basename(page), '--budget', '600s', '--out', 'replays'];
  const place = { workingPath: elsewhere, projectPath: clone, runJob };
  const { status, stdout, stderr } = await callAssay(args, place);
  expectStatus({ status, stderr }, EXIT.done);
  const [replayId = ''] = readdirSync(join(elsewhere, 'replays'));
  const path = join(elsewhere, 'replays', replayId);
  /** @type {ReplayResult} */
  const result = JSON.parse(readFileSync(join(path, 'replay.json'), 'utf8'));
  expect(() => validate('replay-result', result)).not.toThrow();
  expect(result.report.runId).toBe(runId);
  expect(result.cells.map(({ cellId }) => cellId)).toEqual(['serialize deep']);
  expect(result.command).toBe("just replay 'from a colleague.html' --budget 600s");
  expect(result.answer).toBe('reproduced');
  expect(stdout).toContain(`Report ${runId}: generator against recursive`);

  const { question: asked } = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'));
  expect(asked).toMatchObject({ seed: 7, looks: [4, 8, 16], explain: 'none' });
});
