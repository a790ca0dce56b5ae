import { describe, expect, test } from '@jest/globals';
import { renderHtml } from '../html.js';
import { renderMarkdown } from '../markdown.js';
import { renderTerminal } from '../terminal.js';
import { hostsRemark, partNumber } from './host-parts.js';
import { meansRemark } from './means-remark.js';
import { recordedRun } from './recorded-runs.js';
import { listHosts } from './run-facts.js';

/** @returns {ReturnType<typeof recordedRun>} a merged run of parts that were measured on one host */
function mergedOnOneHost() {
  const run = recordedRun('merged');
  const parts = (run.manifest.parts ?? []).map((part, index) => ({
    ...part,
    environment: { ...run.manifest.environment, loadAverage: index, runnableProcesses: index },
  }));
  return { ...run, manifest: { ...run.manifest, parts } };
}

/** @param {string} text */
function collapse(text) {
  return text.replaceAll(/\s+/g, ' ');
}

describe('a merged run from several kinds of machine', () => {
  const run = recordedRun('merged');

  test.each([
    ['terminal', renderTerminal(run)],
    ['Markdown', renderMarkdown(run)],
    ['HTML', renderHtml(run)],
  ])('warns beside the table of cells (%s)', (_, text) => {
    expect(collapse(text)).toContain(
      'The cells come from 2 kinds of machine: each ratio is of one of them, but times of cells from different parts do not compare.',
    );
    expect(collapse(text).replaceAll(/<[^>]+>|`/g, '')).toContain(
      'Cells of several kinds of machine go into the geometric mean of serialize, deserialize.',
    );
  });

  test('names the part of every cell', () => {
    const [, ...rows] = renderMarkdown(run).match(/^\| (?:cell|`\w+ \w+`) \| .*$/gm) ?? [];
    expect(rows.map((row) => row.split(' | ')[1])).toEqual(['1', '2', '3', '1', '2', '3']);
    expect(partNumber(run.manifest, { id: 'x y', operation: 'x', corpus: 'y' })).toBe('–');
  });

  test('tells its time by its longest part', () => {
    expect(collapse(renderTerminal(run))).toContain(
      '216 processes in 3 parts, 13.4 s the longest, 36.7 s inside workers;',
    );
  });

  test('describes the host of every part', () => {
    const hosts = listHosts(run.manifest, run.verdict);
    expect(hosts.map(({ title }) => title)).toEqual(['Part 1', 'Part 2', 'Part 3']);
    expect(hosts.map(({ facts }) => new Map(facts).get('cells'))).toEqual([
      'serialize flat, deserialize flat',
      'serialize deep, deserialize deep',
      'serialize full, deserialize full',
    ]);
    expect(hosts.map(({ facts }) => new Map(facts).get('processor'))).toEqual([
      '2 × AMD EPYC 7B13',
      '2 × AMD EPYC 7B13',
      '4 × Intel Xeon Platinum 8370C',
    ]);
  });

  test('does not blame a mean whose cells are all of one host', () => {
    const { manifest, verdict } = recordedRun('merged');
    const cells = verdict.cells.map((comparison) =>
      comparison.cell.id === 'serialize full' ? { ...comparison, effect: null } : comparison,
    );
    expect(meansRemark(manifest, { ...verdict, cells })).toBe(
      'Cells of several kinds of machine go into the geometric mean of deserialize.',
    );
  });
});

describe('a merged run from hosts that are alike', () => {
  test('has no remark: load alone makes no other host', () => {
    const { manifest, verdict } = mergedOnOneHost();
    expect(hostsRemark(manifest)).toBeNull();
    expect(meansRemark(manifest, verdict)).toBeNull();
  });

  test('has no column for the part', () => {
    expect(renderMarkdown(mergedOnOneHost())).not.toContain('| part |');
  });
});

test('a run that was not merged has one host without a title', () => {
  const { manifest, verdict } = recordedRun('faster');
  expect(listHosts(manifest, verdict).map(({ title }) => title)).toEqual([null]);
});
