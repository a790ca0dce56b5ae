import { expect, test } from '@jest/globals';
import { main } from './cli.js';
import { EXIT } from '../lib/exit-status.js';

/**
 * @param {string[]} argv
 * @param {number} [columns] of the terminal; none for a pipe
 */
async function findErrorLines(argv, columns) {
  let stderr = '';
  const status = await main(argv, {
    stdout: { write: () => undefined },
    stderr: {
      write: (text) => void (stderr += text),
      ...(columns === undefined ? {} : { columns }),
    },
    environment: {},
    workingPath: process.cwd(),
    signal: new AbortController().signal,
  });
  expect(status).toBe(EXIT.usage);
  return stderr.trimEnd().split('\n');
}

const LONG_PATH = `/nowhere/${'with a long name/'.repeat(6)}run`;

test.each([
  [undefined, 80],
  [60, 60],
  [120, 120],
])(
  'errors fit a terminal of %p columns, except for paths, which are not broken',
  async (columns, width) => {
    const lines = await findErrorLines(['report', LONG_PATH], columns);
    expect(lines.filter((line) => line.includes(`'${LONG_PATH}'`))).toHaveLength(1);
    const others = lines.filter((line) => !line.includes(LONG_PATH));
    expect(others.length).toBeGreaterThan(0);
    expect(Math.max(...others.map((line) => line.length))).toBeLessThanOrEqual(width);
  },
);

test.each([[['compare']], [['compare', 'generator']]])(
  '%j: names what is missing in a few lines, with a command that works',
  async (argv) => {
    const lines = await findErrorLines(argv);
    expect(lines[0]).toMatch(/^error: compare needs /);
    expect(lines.length).toBeLessThanOrEqual(3);
    expect(lines.at(-1)).toMatch(/(^ *|: )just compare generator linked-list$/);
  },
);
