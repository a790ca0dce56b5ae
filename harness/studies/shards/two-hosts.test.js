import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, jest } from '@jest/globals';
import { EXIT } from '../../lib/errors.js';
import { runAssay } from '../../testing/support/project.js';
import { testLong } from '../../testing/support/gates.js';

jest.setTimeout(60_000);

const root = mkdtempSync(join(tmpdir(), 'assay-hosts-'));

afterAll(() => rmSync(root, { recursive: true }));

/** @param {string} path of a run */
function readLines(path) {
  return readFileSync(join(path, 'observations.ndjson'), 'utf8').trimEnd().split('\n');
}

testLong(
  'a plan measured by two hosts is merged into one run, which is reported alike',
  async () => {
    const question = ['generator', 'linked-list', '--op', 'serialize', '--corpus', 'flat,deep'];
    const limits = ['--processes', '16', '--budget', '1', '--explain', 'none'];
    const planned = await runAssay(['plan', ...question, ...limits, '--shards', '2', '--json'], {
      workingPath: root,
    });
    /** @type {{ include: { shard: string, cells: string[], arguments: string }[] }} */
    const { include } = JSON.parse(planned.stdout);
    expect(include.map(({ shard, cells }) => ({ shard, cells }))).toEqual([
      { shard: '1/2', cells: ['serialize flat'] },
      { shard: '2/2', cells: ['serialize deep'] },
    ]);
    const paths = await Promise.all(
      include.map(async (part, index) => {
        const out = join(root, `host-${index + 1}`);
        const args = ['compare', ...part.arguments.split(' '), '--out', out];
        expect(await runAssay(args, { workingPath: root })).toMatchObject({ status: EXIT.done });
        return join(`host-${index + 1}`, readdirSync(out)[0]);
      }),
    );

    const alone = await runAssay(['merge', paths[0], '--out', 'merged'], { workingPath: root });
    expect(alone).toMatchObject({ status: EXIT.usage, stdout: '' });
    expect(alone.stderr).toMatch(/^error: shard 2\/2 is missing\n {2}\S/);

    const merged = await runAssay(['merge', ...paths, '--out', 'merged'], { workingPath: root });
    expect(merged).toMatchObject({ status: EXIT.done, stderr: '' });
    const path = join(root, 'merged', readdirSync(join(root, 'merged'))[0]);
    const verdict = JSON.parse(readFileSync(join(path, 'verdict.json'), 'utf8'));
    const ids = verdict.cells.map((/** @type {{ cell: { id: string } }} */ { cell }) => cell.id);
    expect(ids).toEqual(['serialize flat', 'serialize deep']);
    const measured = paths.flatMap((part) => readLines(join(root, part)));
    expect(readLines(path).toSorted()).toEqual(measured.toSorted());
    expect(await runAssay(['report', path], { workingPath: root })).toMatchObject({
      stdout: merged.stdout,
    });
  },
);
