import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from '../formats/schemas.js';
import { EXIT } from '../lib/errors.js';
import { expectStatus } from './support/expect-status.js';
import { callAssay } from './support/project.js';
import { describeRuntimeOf } from './support/gates.js';
import { makeTestDirectory } from './support/directories.js';

/** @import { Warning } from '../formats/types.ts' */

const directory = makeTestDirectory('runtimes');

/**
 * @param {string[]} args of `compare`
 * @returns {Promise<{ status: number, stderr: string, path: string }>} `path` of the run
 */
async function compare(args) {
  const out = mkdtempSync(join(directory, 'runs-'));
  const cell = ['--op', 'deserialize', '--corpus', 'deep', '--out', out, '--seed', '6'];
  const result = await callAssay(['compare', ...args, ...cell]);
  return { ...result, path: join(out, readdirSync(out)[0] ?? '') };
}

/** @param {string} path  @param {string} name  @returns {any} */
function readJson(path, name) {
  return JSON.parse(readFileSync(join(path, name), 'utf8'));
}

/** @param {string} path  @param {string} name  @returns {any[]} */
function readLines(path, name) {
  const lines = readFileSync(join(path, `${name}.ndjson`), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** Without placements, which take longer than the rest. */
const ALONE = ['--placements', '0'];

/** Releases of Node that are wrong about text, as public reports say. */
const FAULTY = [
  ['node@22.7.0', "Buffer.write writes 'é' as e9e9 instead of c3a9"],
  ['node@23.4.0', "TextDecoder('latin1') decodes text as a value that is no string"],
];

for (const [name, fault] of FAULTY) {
  await describeRuntimeOf(name, () => {
    test('a comparison is refused because of the runtime, whatever the corpus', async () => {
      const asked = ['recursive', 'generator', '--runtime', name, ...ALONE];
      const { status, stderr } = await compare(asked);
      expect(status).toBe(EXIT.failed);
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`is at fault, not a variant: its ${fault}`);
    });
  });
}

/** @type {[name: string, line: string, notes: RegExp[]][]} */
const CASES = [
  ['bun', '1', [/^Bun .* has no times of garbage collections, .*the mean of the batches/]],
  ['deno', '2', [/^Deno .* has no stacks of perf: these are missing/]],
];

for (const [name, line, missing] of CASES) {
  await describeRuntimeOf(name, () => {
    test('checks, measures and profiles both arms, and names what is missing once', async () => {
      // A fifth for profiles; half of the rest for times, which is enough for some processes of each arm on a busy machine.
      const profiled = ['--explain', 'all', '--with', 'cpu-profile'];
      const measured = ['--memory', ...profiled, '--budget', '60', ...ALONE];
      const asked = ['--runtime', name, ...measured];
      const { status, stderr, path } = await compare(['recursive', 'generator', ...asked]);
      expectStatus({ status, stderr }, EXIT.done);
      const manifest = readJson(path, 'manifest.json');
      validate('manifest', manifest);
      const [{ runtime, engine, integrity }] = manifest.runtimes;
      expect(runtime).toMatch(new RegExp(`^${name}@\\d+\\.\\d+\\.\\d+$`));
      expect(engine).toMatch(/^(?:V8|JavaScriptCore) /);
      expect(integrity).toMatch(/^sha512-/);
      expect(manifest.question.cells).toMatchObject([{ runtime }]);
      expect(manifest.command).toContain(`--runtime ${runtime}`);
      const { cells, warnings } = readJson(path, 'verdict.json');
      expect(cells[0].processes.candidate).toBeGreaterThan(0);
      expect(cells[0].failedJobs).toBe(0);
      const notes = warnings.filter((/** @type {Warning} */ { kind }) => kind === 'runtime-lacks');
      expect(notes.map((/** @type {Warning} */ { text }) => text)).toEqual(
        missing.map((text) => expect.stringMatching(text)),
      );
      const cpu = readLines(path, 'profiles').filter(({ recorder }) => recorder === 'cpu-profile');
      for (const lines of [cpu, readLines(path, 'memory')]) {
        expect(new Set(lines.map(({ outcome }) => outcome))).toEqual(new Set(['done']));
      }
    });

    test('compares an arm under it with one under Node', async () => {
      const pinned = `recursive@${name}=${line}`;
      const asked = ['recursive', pinned, '--budget', '0.1', '--explain', 'none', ...ALONE];
      const { status, stderr, path } = await compare(asked);
      expectStatus({ status, stderr }, EXIT.done);
      const { variants } = readJson(path, 'manifest.json');
      expect(variants.candidates[0].runtime).toMatch(new RegExp(`^${name}@`));
      expect(variants.baseline).not.toHaveProperty('runtime');
    });
  });
}
