/** What is written for other tools, read back as they read it. */

/** @import { Observation } from '../../harness/formats/types.ts' */
/** @import { RenderInput } from '../types.ts' */

import { makeObservations } from '../fixtures/explained.js';
import { HOSTILE_TEXT, hostileRun } from '../fixtures/hostile.js';
import { recordedRun } from '../fixtures/runs.js';
import { EXPORT_FORMATS, exportComparison } from './exports.js';

const INVISIBLE = /[^\P{Cc}\n\r]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** @param {string} name @returns {RenderInput} with processes */
function measuredRun(name) {
  return withProcesses(recordedRun(name));
}

/** @param {RenderInput} run @returns {RenderInput} */
function withProcesses(run) {
  const observations = run.verdict.cells.flatMap((comparison) =>
    makeObservations(comparison).map((each) => ({
      ...each,
      cellId: each.arm === 'candidate' ? each.cellId : (comparison.cell.sharedId ?? each.cellId),
    })),
  );
  // Candidates share the jobs of their baseline.
  return {
    ...run,
    observations: [...new Map(observations.map((one) => [keyOf(one), one])).values()],
  };
}

/** @param {Observation} observation */
function keyOf({ cellId, arm, block, position }) {
  return JSON.stringify([cellId, arm, block, position]);
}

/** @param {string} operation @param {string} corpus @param {string} [variant] a run whose names are these */
function runNamed(operation, corpus, variant = 'generator') {
  const run = recordedRun('faster');
  const [comparison] = run.verdict.cells;
  const cell = { ...comparison.cell, id: `${operation} ${corpus}`, operation, corpus };
  const question = { ...run.manifest.question, baseline: variant, cells: [cell] };
  return withProcesses({
    ...run,
    manifest: { ...run.manifest, question },
    verdict: { ...run.verdict, cells: [{ ...comparison, cell }] },
  });
}

/** Reads RFC 4180. @param {string} text @returns {Record<string, string>[]} */
function readTable(text) {
  const fields = [...text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy)];
  expect(fields.map(([whole]) => whole).join('')).toBe(text);
  /** @type {string[][]} */
  const lines = [[]];
  for (const [, field, end] of fields) {
    lines[lines.length - 1].push(field.replace(/^"([^]*)"$/, '$1').replaceAll('""', '"'));
    if (end !== ',') lines.push([]);
  }
  const [names, ...rows] = lines.slice(0, -1);
  for (const row of rows) expect(row).toHaveLength(names.length);
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])));
}

/** Reads the text of Go's benchmarks. @param {string} text */
function readBenchstat(text) {
  /** @type {Record<string, string>} */
  const config = {};
  return text.split('\n').flatMap((line) => {
    const [, key, value] = /^(\p{Ll}[^\s\p{Lu}:]*):[ \t]+(.*)$/u.exec(line) ?? [];
    if (key !== undefined) config[key] = value;
    if (!line.startsWith('Benchmark')) return [];
    const [name, count, ...values] = line.split(/\s+/);
    expect(values.length % 2).toBe(0);
    expect(name).toMatch(/^Benchmark\p{Lu}/u);
    return [{ ...config, name, count: Number(count), ns: Number(values[0]), unit: values[1] }];
  });
}

describe('benchstat', () => {
  test('every process is a line below the name of its variant', async () => {
    const run = measuredRun('faster');
    const lines = readBenchstat(await exportComparison(run, 'benchstat'));
    expect(lines).toHaveLength(run.observations?.length ?? 0);
    expect(new Set(lines.map(({ name }) => name)).size).toBe(run.verdict.cells.length);
    const { baseline, candidates } = run.manifest.question;
    expect([...new Set(lines.map((line) => /** @type {any} */ (line).variant))]).toEqual([
      baseline,
      ...candidates,
    ]);
    expect(lines.every(({ unit, ns, count }) => unit === 'ns/op' && ns > 0 && count > 0)).toBe(
      true,
    );
  });

  test.each([
    ['serialize', 'flat', 'BenchmarkSerialize/corpus=flat'],
    ['parse a/b', '50%\u00a0é', 'BenchmarkParse%20a%2Fb/corpus=50%25%C2%A0é'],
    ['get-100', 'nested-500', 'BenchmarkGet-100/corpus=nested-500-1'],
    ['é', 'a\u202eb', 'BenchmarkOp:é/corpus=a%E2%80%AEb'],
  ])('the name of %j on %j is one field', async (operation, corpus, name) => {
    const lines = readBenchstat(await exportComparison(runNamed(operation, corpus), 'benchstat'));
    expect([...new Set(lines.map((line) => line.name))]).toEqual([name]);
  });

  test('a case of a benchmark file has its title alone', async () => {
    const run = runNamed('serialize', 'empty');
    run.verdict.cells[0].cell.title = 'parse 20';
    const [{ name }] = readBenchstat(await exportComparison(run, 'benchstat'));
    expect(name).toBe('BenchmarkParse%2020');
    const [{ operation, figure }] = readTable(await exportComparison(run, 'csv'));
    expect([operation, figure]).toEqual(['parse 20', 'time per call']);
    const [{ unit }] = JSON.parse(await exportComparison(run, 'github-action-benchmark'));
    expect(unit).toBe('ns/call');
  });

  test('where bytes are known, a line has megabytes per second, too', async () => {
    const lines = (await exportComparison(measuredRun('calibrated'), 'benchstat')).split('\n');
    const [, , ns, , rate, unit] = lines.find((line) => line.startsWith('Bench'))?.split(' ') ?? [];
    expect(unit).toBe('MB/s');
    expect(Number(ns) * Number(rate)).toBeCloseTo(7000 * 1e3, -1);
  });

  test('a variant that is compared with itself is two variants', async () => {
    const run = measuredRun('faster');
    run.manifest.question.candidates = [run.manifest.question.baseline];
    const lines = readBenchstat(await exportComparison(run, 'benchstat'));
    expect(new Set(lines.map((line) => /** @type {any} */ (line).variant)).size).toBe(2);
  });
});

describe('github-action-benchmark', () => {
  test('a candidate has a time and a ratio under the name of its cell alone, a baseline a time', async () => {
    const run = measuredRun('faster');
    const results = JSON.parse(await exportComparison(run, 'github-action-benchmark'));
    const [{ cell, candidateNs, effect }] = run.verdict.cells;
    expect(results).toContainEqual({
      ...{ name: cell.id, unit: 'ns/document', value: candidateNs },
      ...{ range: expect.stringMatching(/^± \d/), extra: expect.stringContaining('linked-list') },
    });
    expect(results).toContainEqual(
      expect.objectContaining({ name: `${cell.id}: ratio`, value: effect?.ratio.estimate }),
    );
    const names = results.map((/** @type {{ name: string }} */ { name }) => name);
    expect(names).toContain(`${cell.id} (baseline)`);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('bencher', () => {
  test('a cell has latency, throughput and ratio, each between its bounds', async () => {
    const run = measuredRun('candidates');
    const benchmarks = JSON.parse(await exportComparison(run, 'bencher'));
    const measured = run.verdict.cells.filter(({ candidateNs }) => candidateNs !== null);
    for (const { cell, candidateNs = null } of measured) {
      const { latency, throughput, ratio } = benchmarks[cell.id];
      expect(latency.value).toBe(candidateNs);
      expect(throughput.value).toBe(1e9 / Number(candidateNs));
      for (const { value, lower_value: lower, upper_value: upper } of [
        latency,
        throughput,
        ratio,
      ]) {
        expect(lower).toBeLessThanOrEqual(value);
        expect(upper).toBeGreaterThanOrEqual(value);
      }
    }
    expect(measured.length).toBeGreaterThan(1);
  });
});

describe('csv', () => {
  test('each cell is a row with its verdict', async () => {
    const run = measuredRun('mixed');
    const rows = readTable(await exportComparison(run, 'csv'));
    expect(rows.map(({ operation, corpus, verdict }) => [operation, corpus, verdict])).toEqual(
      run.verdict.cells.map(({ cell, verdict }) => [cell.operation, cell.corpus, verdict]),
    );
    expect(rows.map(({ ratio }) => ratio)).toEqual(
      run.verdict.cells.map(({ effect }) => String(effect?.ratio.estimate ?? '')),
    );
  });

  test('each process is a row of the other table', async () => {
    const run = measuredRun('candidates');
    const rows = readTable(await exportComparison(run, 'csv-processes'));
    expect(rows).toHaveLength(run.observations?.length ?? 0);
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['measured']));
    expect(new Set(rows.map(({ arm }) => arm))).toEqual(
      new Set(['baseline', 'control', 'candidate']),
    );
  });

  test.each([
    ['a,b', 'a,b'],
    ['a "b"', 'a "b"'],
    ['a\nb', 'a\\nb'],
    ['=HYPERLINK("x")', '\'=HYPERLINK("x")'],
    ['+1', "'+1"],
    ['-x', "'-x"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ["'=1", "''=1"],
    ['\t=1', '\\t=1'],
  ])('a name like %j is read back as %j', async (name, shown) => {
    const rows = readTable(await exportComparison(runNamed('serialize', name, name), 'csv'));
    expect(rows).toEqual([expect.objectContaining({ corpus: shown, baseline: shown })]);
  });
});

test.each(EXPORT_FORMATS)(
  '%s of a run with hostile names has no invisible character',
  async (format) => {
    const run = hostileRun(HOSTILE_TEXT);
    const text = await exportComparison(withProcesses(run), format);
    expect(text).not.toMatch(INVISIBLE);
    expect(text.length).toBeGreaterThan(100);
  },
);

test.each(EXPORT_FORMATS)(
  '%s is written of a ranking, and of a run that timed nothing',
  async (format) => {
    for (const name of ['ranking', 'no-data', 'refused', 'cold', 'runtimes']) {
      const run = name === 'no-data' ? recordedRun(name) : measuredRun(name);
      const text = await exportComparison(run, format);
      if (/csv/.test(format)) readTable(text);
      else if (format === 'benchstat') readBenchstat(text);
      else JSON.parse(text);
      expect(text).toMatch(/\n$/);
    }
  },
);
