import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { AssayError, EXIT } from '../../lib/errors.js';
import { makeRecord } from '../../studies/replay/test-support/make-record.js';
import { replayReport } from './replay.js';

/** @import { ReplayRecord } from '../../formats/types.ts' */

jest.setTimeout(30_000);

const INVOCATION = { name: 'replay', options: {}, args: ['verdict.json'], texts: {} };
const COMMIT = '0'.repeat(40);
const OTHER_DIGEST = `sha256:${'0a'.repeat(32)}`;
const directory = mkdtempSync(join(tmpdir(), 'assay-replay-'));
const out = join(directory, 'runs');

/** @type {string} */
let recordText;
beforeAll(async () => {
  recordText = JSON.stringify(await makeRecord());
});
afterAll(() => rmSync(directory, { recursive: true }));

/**
 * Replays a record that was tampered with.
 *
 * @param {(record: any) => void} tamper
 * @param {string[]} [map]
 * @param {boolean} [build]
 * @returns {Promise<AssayError>} what it is refused with
 */
async function refusalOf(tamper, map = [], build = false) {
  const record = /** @type {ReplayRecord} */ (JSON.parse(recordText));
  tamper(record);
  writeFileSync(join(directory, 'verdict.json'), JSON.stringify({ replay: record }));
  const silent = { write: () => undefined };
  const io = {
    stdout: silent,
    stderr: silent,
    environment: {},
    workingPath: directory,
    signal: new AbortController().signal,
  };
  const given = { map, build, out, format: /** @type {const} */ ('terminal') };
  const error = await replayReport(['verdict.json'], given, io, INVOCATION).then(
    (status) => new Error(`it ran, with status ${status}`),
    (reason) => reason,
  );
  // A run makes its directory before its first job.
  expect(existsSync(out)).toBe(false);
  if (error instanceof AssayError) return error;
  throw error;
}

/**
 * @param {any} record
 * @param {'baseline' | 'candidate'} side
 * @param {object} variant
 */
function setVariant(record, side, variant) {
  record.variants[side] = { digest: OTHER_DIGEST, ...variant };
  record.question[side] = record.variants[side].spec;
}

/** @type {[string, (record: any) => void, RegExp][]} */
const tamperings = [
  [
    'other sources',
    (r) => (r.variants.baseline.digest = OTHER_DIGEST),
    /'recursive' is not what was measured/,
  ],
  [
    'another package',
    (r) => (r.variants.candidate.integrity = 'sha512-AAAA'),
    /package of 'npm:bson@7.3.1' is not what was measured/,
  ],
  [
    'another entry file',
    (r) => (r.variants.candidate.digest = OTHER_DIGEST),
    /'npm:bson@7.3.1' is not what was/,
  ],
  [
    'other documents',
    (r) => (r.corpora[0].digest = OTHER_DIGEST),
    /corpus 'deep' is not what was measured/,
  ],
  ['documents without a digest', (r) => (r.corpora = []), /one digest for the corpus 'deep'/],
  ['a digest that is none', (r) => (r.corpora[0].digest = 'sha256:$(id)'), /corpora\[0\].digest/],
  [
    'shell characters in a name',
    (r) => setVariant(r, 'baseline', { spec: 'recursive;id', kind: 'built-in' }),
    /is not a variant/,
  ],
  [
    'shell characters in a version',
    (r) => setVariant(r, 'candidate', { spec: 'npm:bson@7.3.1$(id)', kind: 'npm' }),
    /not an exact version/,
  ],
  [
    'a flag as a revision',
    (r) => setVariant(r, 'candidate', { spec: 'git:../x@--upload-pack=id', kind: 'git' }),
    /not a revision of a checkout/,
  ],
  [
    'a package of another',
    (r) => setVariant(r, 'candidate', { spec: 'npm:left-pad@1.3.0', kind: 'npm' }),
    /not a package of js-bson/,
  ],
  [
    'a package without its integrity',
    (r) => delete r.variants.candidate.integrity,
    /version and integrity/,
  ],
  [
    'a version that is not the one of the spec',
    (r) => (r.variants.candidate.version = '7.2.0'),
    /version and integrity/,
  ],
  [
    'an unknown variant',
    (r) => setVariant(r, 'baseline', { spec: 'nobody', kind: 'built-in' }),
    /no variant 'nobody'/,
  ],
  [
    'a variant of an unknown family',
    (r) => setVariant(r, 'baseline', { spec: 'other:recursive', kind: 'built-in' }),
    /no variant 'other:recursive'/,
  ],
  [
    'a spec that was not asked for',
    (r) => (r.variants.baseline.spec = 'generator'),
    /instead of 'recursive'/,
  ],
  [
    'a kind that is not of the spec',
    (r) => (r.variants.baseline.kind = 'npm'),
    /not of the kind 'npm'/,
  ],
  [
    'a pin that was not measured',
    (r) =>
      setVariant(r, 'baseline', { spec: 'recursive@node=22', kind: 'built-in', node: '20.1.0' }),
    /not measured under Node '20.1.0'/,
  ],
  [
    'a module by path',
    (r) => setVariant(r, 'candidate', { spec: 'path:/tmp/codec.js', kind: 'path' }),
    /'path:\/tmp\/codec.js', which has to be mapped/,
  ],
  [
    'a checkout',
    (r) =>
      setVariant(r, 'candidate', {
        spec: 'git:../x@main',
        kind: 'git',
        revision: { commit: COMMIT, changes: null },
      }),
    /'git:..\/x', which has to be mapped/,
  ],
  ['a corpus outside', (r) => (r.question.cells[0].corpus = '../../x'), /no corpus '..\/..\/x'/],
  [
    'an operation outside',
    (r) => (r.question.cells[0].operation = '../../x'),
    /no operation '..\/..\/x'/,
  ],
  [
    'an operation of every object',
    (r) => (r.question.cells[0].operation = 'constructor'),
    /no operation 'constructor'/,
  ],
  ['a family outside', (r) => (r.question.family = '../../x'), /no family '..\/..\/x'/],
  [
    'a cell by another name',
    (r) => (r.question.cells[0].id = 'serialize flat'),
    /the cell 'serialize flat' is 'serialize deep'/,
  ],
  [
    'another figure',
    (r) => (r.question.cells[0].figure = 'apples'),
    /the figure of 'serialize deep'/,
  ],
  ['a cell twice', (r) => r.question.cells.push(r.question.cells[0]), /appears twice/],
  ['no cells', (r) => (r.question.cells = []), /cells has 0 items, fewer than 1/],
  [
    'too many cells',
    (r) => (r.question.cells = Array(201).fill(r.question.cells[0])),
    /cells has 201 items, more than 200/,
  ],
  [
    'too many documents',
    (r) => {
      r.question.cells[0] = {
        id: 'serialize comments:9000000',
        operation: 'serialize',
        corpus: 'comments:9000000',
      };
      r.corpora[0].label = 'comments:9000000';
      r.results = [];
    },
    /9000000 documents/,
  ],
  ['a result of no cell', (r) => (r.results[0].cellId = 'serialize flat'), /which is not a cell/],
  [
    'an interval upside down',
    (r) => (r.results[0].ratio.high = 0.5),
    /the interval of 'serialize deep'/,
  ],
  ['looks that go down', (r) => (r.question.looks = [4, 2]), /looks '4, 2'/],
  [
    'too many processes',
    (r) => (r.question.looks = [20_000]),
    /looks\[0\] is 20000 but should be at most 10000/,
  ],
  [
    'a minimum effect beyond all',
    (r) => (r.question.minimumEffect = 2),
    /minimumEffect is 2 but should be at most 1/,
  ],
  [
    'an error rate beyond all',
    (r) => (r.question.alpha = 0.9),
    /alpha is 0.9 but should be at most 0.5/,
  ],
  ['a seed that is none', (r) => (r.question.seed = -1), /seed is -1 but should be at least 0/],
  [
    'days of measuring',
    (r) => (r.question.budgetSeconds = 1e6),
    /budgetSeconds is 1000000 but should be at most 86400/,
  ],
  [
    'a flag that loads code',
    (r) => (r.question.nodeFlags = ['--import=data:text/javascript,0']),
    /flag '--import=data:text\/javascript,0'/,
  ],
  [
    'a row that is none',
    (r) => (r.question.acceptedRows = ['../x']),
    /acceptedRows\[0\] is "..\/x"/,
  ],
  ['screen mode without its flag', (r) => (r.question.mode = 'screen'), /lack --predictable/],
  ['memory alone', (r) => (r.question.memory = 'only'), /only memory/],
  ['a Node that is none', (r) => (r.environment.node = '20; id'), /not an exact version of Node/],
  [
    'many Nodes',
    (r) => {
      r.question.cells = Array.from({ length: 9 }, (_, minor) => {
        const node = `22.${minor}.0`;
        return { id: `serialize deep node ${node}`, operation: 'serialize', corpus: 'deep', node };
      });
      r.results = [];
    },
    /versions of Node/,
  ],
  [
    'a text that steers the terminal',
    (r) => (r.runId = 'x\u001b[2J'),
    /invisible characters: 'x\\u\{1b\}/,
  ],
  ['a text that reads backwards', (r) => (r.assay.version = '1\u202e0'), /invisible characters/],
  ['a text without end', (r) => (r.runId = 'x'.repeat(5000)), /a text of 5000 characters/],
  ['an unknown key', (r) => (r.hook = 'id'), /hook is not known/],
  [
    'a prototype',
    (r) => Object.defineProperty(r, '__proto__', { value: {}, enumerable: true }),
    /__proto__/,
  ],
  ['another format', (r) => (r.formatVersion = 99), /has format 99, this Assay reads format/],
];

describe('a report that was tampered with is refused, and nothing runs', () => {
  test.each(tamperings)('%s', async (_, tamper, words) => {
    const error = await refusalOf(tamper);
    expect(error.message).toMatch(words);
    expect(error.exitStatus).toBe(EXIT.usage);
  });
});

test('the report of a replay under another Node is not refused for the names of its cells', async () => {
  const error = await refusalOf((r) => {
    r.question.cells[0].node = '22.11.0';
    setVariant(r, 'candidate', { spec: 'path:../theirs.js', kind: 'path' });
  });
  expect(error.message).toMatch(/'path:..\/theirs.js', which has to be mapped/);
});

describe('what a user says', () => {
  test('is not taken for a build command that the report does not give', async () => {
    const error = await refusalOf(() => undefined, [], true);
    expect(error.message).toMatch(/--build .* the report has none/);
  });

  test('is not taken for a variant that the report does not have', async () => {
    const error = await refusalOf(() => undefined, ['git:../x=../y']);
    expect(error.message).toBe("--map 'git:../x=../y' matches no variant of the report");
  });

  test('maps a path, and what lies there must be what was measured', async () => {
    const module = join(directory, 'codec.js');
    writeFileSync(module, 'export const variant = {};\n');
    const error = await refusalOf(
      (r) => setVariant(r, 'candidate', { spec: 'path:../theirs.js', kind: 'path' }),
      [`path:../theirs.js=${module}`],
    );
    expect(error.message).toMatch(
      /code of 'path:\.\.\/theirs.js' is not what was measured: it was 'sha256:0a0a/,
    );
  });
});
