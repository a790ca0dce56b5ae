import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EXIT } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { validate } from '../../formats/schemas.js';
import { makeProject, runAssay } from '../../testing/support/project.js';
import { testLong } from '../../testing/support/gates.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

/** @import { ReplayResult } from '../../formats/types.ts' */

const directory = makeTestDirectory('clone');

testLong('a report is replayed from its page alone in another clone', async () => {
  const cell = ['--op', 'serialize', '--corpus', 'deep', '--processes', '16', '--explain', 'none'];
  const question = ['recursive', 'generator', ...cell, '--budget', '2', '--seed', '7'];
  await runAssay(['compare', ...question, '--out', 'runs'], { workingPath: directory });
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
  const args = ['replay', basename(page), '--budget', '2s', '--out', 'replays'];
  const { status, stdout, stderr } = await runAssay(args, {
    workingPath: elsewhere,
    projectPath: clone,
  });
  expect({ status, stderr }).not.toMatchObject({ status: EXIT.usage });
  const [replayId = ''] = readdirSync(join(elsewhere, 'replays'));
  const path = join(elsewhere, 'replays', replayId);
  /** @type {ReplayResult} */
  const result = JSON.parse(readFileSync(join(path, 'replay.json'), 'utf8'));
  expect(() => validate('replay-result', result)).not.toThrow();
  expect(result.report.runId).toBe(runId);
  expect(result.cells.map(({ cellId }) => cellId)).toEqual(['serialize deep']);
  expect(result.command).toBe("just replay 'from a colleague.html' --budget 2s");
  const statuses = { reproduced: EXIT.done, inconclusive: EXIT.failed };
  expect(status).toBe(
    /** @type {Record<string, number>} */ (statuses)[result.answer] ?? EXIT.regression,
  );
  expect(stdout).toContain(`Report ${runId}: generator against recursive`);

  const { question: asked } = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'));
  expect(asked).toMatchObject({ seed: 7, looks: [4, 8, 16], explain: 'none' });
});
