import { describe, expect, test } from '@jest/globals';
import { displayWidth } from '../harness/lib/display-width.js';
import { makeCell, makeManifest, makeVerdict } from './support/fixtures.js';
import { hostileRefusal, hostileRun } from './support/hostile.js';
import { RECORDED_RUN_NAMES, recordedRun } from './support/recorded-runs.js';
import { listOverflows } from './support/test-support/list-overflows.js';
import { renderTerminal } from './terminal.js';

/** @import { RenderInput } from './types.ts' */

// eslint-disable-next-line no-control-regex -- the escape character is what is looked for.
const ANSI = /\u001b\[\d+m/g;

/**
 * @param {string} text
 * @returns {number} columns of its longest line
 */
function widestLine(text) {
  return Math.max(...text.split('\n').map(displayWidth));
}

/** @returns {RenderInput} names longer than a line, some in double-width characters */
function runWithLongNames() {
  const longName = `path:../${'a-very-long-directory/'.repeat(9)}codec`;
  const wideName = '直列化器の変種'.repeat(4);
  const cells = ['serialize', 'deserialize'].flatMap((operation) =>
    [longName, wideName, 'flat@deserialized'].map((corpus) =>
      makeCell({
        operation,
        corpus,
        verdict: 'inconclusive',
        ratio: [0.00012, 1.1, 98765],
        baselineNs: 123_456_789_012,
        processes: 96,
        processesNeeded: 12_345,
        warnings: [1, 22, 333, 4444],
      }),
    ),
  );
  const text = `${wideName.repeat(5)} and ${longName}`;
  return {
    manifest: {
      ...makeManifest({ baseline: longName, candidate: wideName, mode: 'screen' }),
      command: `just compare ${longName} ${wideName} --node-flag '--a b'`,
    },
    verdict: makeVerdict(cells, { warnings: [{ number: 4444, kind: 'long', text }] }),
    runPath: `/${longName}/${wideName}`,
  };
}

describe('width', () => {
  test.each(RECORDED_RUN_NAMES)('no line of the run %s is wider than 80 columns', (runName) => {
    expect(widestLine(renderTerminal(recordedRun(runName)))).toBeLessThanOrEqual(80);
  });

  test.each([40, 60, 79, 80, 81, 100, 132, 240])(
    'keeps to %i columns but for words that are longer',
    (width) => {
      expect(listOverflows(renderTerminal({ ...runWithLongNames(), width }), width)).toEqual([]);
      expect(
        listOverflows(renderTerminal({ ...hostileRun(), runPath: 'run', width }), width),
      ).toEqual([]);
    },
  );

  test('commands and paths can be copied whatever the width', () => {
    const input = runWithLongNames();
    const text = renderTerminal({ ...input, width: 40 });
    const shell = text.replaceAll(/ \\\n */g, ' ');
    expect(shell).toContain(`Repeat    ${input.manifest.command}\n`);
    expect(text).toContain(`Run       ${input.runPath}\n`);
  });

  test('a wider terminal gives the plot more room', () => {
    const plot = (/** @type {number} */ width) =>
      renderTerminal({ ...recordedRun('equivalent'), width }).match(/├─*●─*┤/)?.[0] ?? '';
    expect(plot(110).length).toBeGreaterThan(plot(80).length);
  });

  test('says the verdict even where hardly anything fits', () => {
    const text = renderTerminal({ ...recordedRun('mixed'), width: 40 });
    for (const word of ['slower, strong', 'inconclusive', 'untrusted', 'equivalent']) {
      expect(text).toMatch(new RegExp(`^ \\w+ .*${word}$`, 'm'));
    }
  });
});

describe('colour', () => {
  test('writes no ANSI sequence unless asked', () => {
    expect(renderTerminal(recordedRun('mixed'))).not.toContain('\u001b');
    expect(renderTerminal({ ...recordedRun('mixed'), color: false })).not.toContain('\u001b');
  });

  test.each(RECORDED_RUN_NAMES)('adds nothing but colour to the run %s', (runName) => {
    const colored = renderTerminal({ ...recordedRun(runName), color: true });
    expect(colored).toMatch(ANSI);
    expect(colored.replace(ANSI, '')).toBe(renderTerminal(recordedRun(runName)));
  });
});

test.each([hostileRun, hostileRefusal])('names cannot steer the terminal: %p', (makeRun) => {
  const text = renderTerminal(makeRun());
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  expect(text).toContain('\\u{1b}[2J');
  expect(text).toContain('\\u{202e}evil');
  expect(text).not.toMatch(/^# head/m);
});

describe('content', () => {
  test('says in every place that figures are from screen mode', () => {
    const lines = renderTerminal(recordedRun('screen')).split('\n');
    expect(lines[0]).toMatch(/^Screen mode: /);
    expect(lines.filter((line) => line.startsWith('screen mode'))).toHaveLength(2);
    const rows = lines.filter((line) => /^ \w+ .*(faster|slower|equivalent)/.test(line));
    expect(rows).toHaveLength(6);
    for (const row of rows) expect(row).toMatch(/screen: (faster|slower|equivalent)/);
  });

  test('says what it would take to settle an inconclusive cell', () => {
    expect(renderTerminal(recordedRun('mixed'))).toMatch(/96 of ~209/);
  });

  test('names variant, cell, document, path, and both values of a difference', () => {
    const text = renderTerminal(recordedRun('refused'));
    expect(text).toContain('linked-list: serialize full, document 0, nested.items.3.createdAt');
    expect(text).toMatch(/expected date 2009-02-13T23:31:30.000Z/);
    expect(text).toMatch(/found {4}int64 1234567890000/);
  });

  test('counts the differences that it does not print', () => {
    const run = recordedRun('refused');
    const [difference] = run.verdict.differences;
    if (difference === undefined) throw new Error('the fixture has differences');
    run.verdict.differences = new Array(35).fill(difference);
    expect(renderTerminal(run)).toContain('and 25 more, all in verdict.json');
  });

  test('adds the seed to a command that was typed without', () => {
    expect(renderTerminal(recordedRun('faster'))).toMatch(
      /^Repeat {4}just compare generator linked-list --seed 20250612$/m,
    );
    expect(renderTerminal(recordedRun('screen'))).toMatch(/^Repeat .* --screen --seed 7$/m);
  });

  test('a command over several lines can still be pasted', () => {
    const run = recordedRun('faster');
    run.manifest.command = `just compare ${'--corpus some-corpus-name '.repeat(8)}--node-flag '--a  b'`;
    const [, printed = ''] = renderTerminal(run).match(/^Repeat {4}([^]*?)\nRun /m) ?? [];
    expect(printed.split('\n').length).toBeGreaterThan(1);
    const pasted = printed.replace(/\\\n\s*/g, '');
    expect(pasted).toBe(run.manifest.command);
  });
});
