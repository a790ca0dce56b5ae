/**
 * Calls every command that reads runs on every kind of run of every family. Families are found by their
 * folders, commands by their arguments; kinds are in `kinds.js`.
 */

import { readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseHTML } from 'linkedom';
import { listPairs } from '../../../reports/content/comparison/words.js';
import { readClaims } from '../../studies/claims/claims.js';
import { readReport } from '../../studies/replay/report.js';
import { findExitStatus } from '../../cli/comparison.js';
import { EXIT } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { listFamilies } from '../../variants/families.js';
import { readRun } from '../../run/store.js';
import { validate } from '../../formats/schemas.js';
import { describeMore, isLong } from '../support/gates.js';
import { EXPORT_FORMATS } from '../../../reports/content/exports.js';
import { makeTestDirectory } from '../support/directories.js';
import { findHeadlineProblems, findPathProblems, findTextProblems } from './checks.js';
import { callInTerminal, listCalls, listReaders } from './commands.js';
import { RUN_KINDS, takeTimes } from './kinds.js';
import { hasReports, placeRun } from './place-run.js';
import { listRecordings, readRecording } from './recording.js';

const workingPath = realpathSync(makeTestDirectory('matrix'));

const SCRIPTED = 'fake-program';
const own = (await listFamilies(PROJECT.experimentsPath)).map(({ name }) => name);
const families = [...own, SCRIPTED].sort();
/** The family with the most kinds of runs; long tests cover all families. */
const WIDEST = 'js-bson';
const COVERED = isLong ? families : [WIDEST];
const READERS = await listReaders();

/**
 * @param {Awaited<ReturnType<typeof listReaders>>[number]} reader
 * @param {string} family
 */
function isCalledFor({ command, measures }, family) {
  // A command without options finds the files of a run and does not read them.
  return !measures && (command.options.length > 0 || family === WIDEST);
}

// README.md here says how to record a missing one.
test('every family has a recording', () => {
  expect(listRecordings().sort()).toEqual(families);
});

test.each(own)('claims of %s', async (family) => {
  const { claims } = await readClaims(await listFamilies(PROJECT.experimentsPath));
  const names = new Set(claims.filter((one) => one.family === family).map(({ source }) => source));
  const argv = ['claims', ...names];
  const { status, stdout, stderr } = await callInTerminal(argv, workingPath);
  expect([status, stderr, await findTextProblems(stdout)]).toEqual([EXIT.done, '', []]);
});

describeMore.each(COVERED)('%s', (family) => {
  const recording = readRecording(family);
  const kinds = RUN_KINDS.filter(
    ({ fits = () => true, isMore = false }) => (isLong || !isMore) && fits(recording),
  );
  const here = join(workingPath, family);

  describe.each(kinds)('$name', (kind) => {
    /** @type {Awaited<ReturnType<typeof placeRun>>} */
    let run;
    beforeAll(async () => {
      const isWhole = isLong || kind.isWhole === true;
      run = await placeRun(kind, isWhole ? recording : takeTimes(recording), here);
    });

    test.each(READERS.filter((reader) => isCalledFor(reader, family)))(
      '$command._name',
      async ({ command }) => {
        const problems = [];
        for (const argv of listCalls(command, run, isLong ? undefined : kinds.indexOf(kind))) {
          const found = await findProblems(argv);
          problems.push(...found.map((problem) => `${argv.join(' ')}: ${problem}`));
        }
        expect(problems).toEqual([]);
      },
    );

    test('headlines of all formats agree with each other and with the data', async () => {
      const { manifest } = await readRun(run.path);
      const [terminal, markdown, html] = await Promise.all(
        [['--full'], ['--format', 'markdown'], ['--format', 'html']].map(
          async (option) => (await call(['report', run.path, ...option])).stdout,
        ),
      );
      const leads = [...parseHTML(html ?? '').document.querySelectorAll('.lead')];
      const headlines = leads.map(({ textContent }) => plainText(textContent ?? ''));
      // In Markdown those with the means are folded.
      const whole = (markdown ?? '').split('<summary>Full report</summary>').at(-1) ?? '';
      const bold = [...whole.matchAll(/^\*\*([^]*?)\*\*$/gm)];
      expect(bold.slice(0, leads.length).map(([, text]) => plainText(text))).toEqual(headlines);
      expect(plainText(terminal ?? '').indexOf(headlines.join(' '))).toBe(0);
      const only = { manifest, verdict: run.verdict };
      const pairs = headlines.length === 1 ? [only] : listPairs(manifest, run.verdict);
      expect(headlines).toHaveLength(pairs.length);
      for (const [index, pair] of pairs.entries()) {
        expect(findHeadlineProblems(headlines[index], pair.manifest, pair.verdict)).toEqual([]);
      }
      expect(findPathProblems(terminal ?? '', relative(here, run.path))).toEqual([]);
    });

    test('replay reads the same record from directory, verdict.json and page', async () => {
      if (!hasReports(run)) {
        await expect(readReport(run.path, 'run')).rejects.toThrow('was interrupted');
        return;
      }
      const [first, ...others] = await Promise.all(
        ['', 'verdict.json', 'report.html'].map((name) => readReport(join(run.path, name), name)),
      );
      for (const other of others) expect(other).toEqual(first);
    });

    /** @type {Map<string, ReturnType<typeof callInTerminal>>} */
    const called = new Map();

    /**
     * @param {string[]} argv
     * @returns {ReturnType<typeof callInTerminal>} of the first call, since these commands change nothing
     */
    function call(argv) {
      const key = argv.join(' ');
      const answer = called.get(key) ?? callInTerminal(argv, here);
      called.set(key, answer);
      return answer;
    }

    /** @type {(argv: string[]) => Promise<string[]>} */
    async function findProblems(argv) {
      const { status, stdout, stderr } = await call(argv);
      const problems = await findTextProblems(stderr);
      const expected = expectStatus(argv);
      if (status !== expected) problems.push(`exits with ${status}, not ${expected}: ${stderr}`);
      if (
        status >= EXIT.usage &&
        argv.at(-1) !== '--check' &&
        !/^error: .+\n(?: {7}.+\n)* {2}\S/m.test(stderr)
      ) {
        problems.push(`gives no remedy: ${stderr}`);
      }
      if (argv.includes('json')) validate('verdict', JSON.parse(stdout));
      else if (!argv.includes('html') && argv[0] !== 'convert') {
        problems.push(...(await findTextProblems(isForPeople(argv) ? stdout : '')));
      }
      return problems;
    }

    /** @param {string[]} argv */
    function isForPeople(argv) {
      const others = ['markdown', ...EXPORT_FORMATS];
      return argv[0] !== 'pr' && !argv.some((word) => others.includes(word));
    }

    /** @param {string[]} argv */
    function expectStatus([command, ...words]) {
      if (command === 'merge' && run.parts.length === 1) return EXIT.usage;
      if (command === 'open' && !hasReports(run)) return EXIT.usage;
      return words.includes('--check') ? findExitStatus(run.verdict, true) : EXIT.done;
    }

    test('the files in its directory are of the published formats', async () => {
      await readRun(run.path);
      if (!hasReports(run)) return;
      validate('verdict', JSON.parse(readFileSync(join(run.path, 'verdict.json'), 'utf8')));
    });
  });
});

/** @param {string} text of Markdown, or of a terminal */
function plainText(text) {
  return text.replaceAll(/[`\\]/g, '').replaceAll(/\s+/g, ' ').trim();
}
