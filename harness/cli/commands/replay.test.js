import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError, EXIT } from '../../lib/errors.js';
import { makeRecord } from '../../studies/replay/test-support/make-record.js';
import { replayReport } from './replay.js';
import { scriptJobs } from '../../testing/support/scripted-jobs.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

const INVOCATION = { name: 'replay', options: {}, args: ['verdict.json'], texts: {} };
const COMMIT = '0'.repeat(40);
const OTHER_DIGEST = `sha256:${'0a'.repeat(32)}`;
const directory = makeTestDirectory('replay');
const out = join(directory, 'runs');

/** @type {string} */
let recordText;
beforeAll(async () => {
  recordText = JSON.stringify(await makeRecord());
});

/**
 * Replays a record that was tampered with.
 *
 * @param {Changes} changes
 * @param {string[]} [map]
 * @param {boolean} [build]
 * @returns {Promise<AssayError>} what it is refused with
 */
async function refusalOf(changes, map = [], build = false) {
  const record = JSON.parse(recordText);
  for (const [path, value] of Object.entries(changes)) change(record, path, value);
  writeFileSync(join(directory, 'verdict.json'), JSON.stringify({ replay: record }));
  const silent = { write: () => undefined };
  const io = {
    stdout: silent,
    stderr: silent,
    environment: {},
    workingPath: directory,
    signal: new AbortController().signal,
    runJob: scriptJobs(),
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
 * Values by their path in a record; undefined removes one. `baseline` and `candidate` replace a variant, and its
 * spec in the question.
 *
 * @typedef {Record<string, unknown>} Changes
 */

/**
 * @param {any} record
 * @param {string} path
 * @param {any} value
 */
function change(record, path, value) {
  if (path === 'baseline' || path === 'candidate') {
    const variant = { digest: OTHER_DIGEST, ...value };
    const isBaseline = path === 'baseline';
    record.variants[isBaseline ? path : 'candidates'] = isBaseline ? variant : [variant];
    record.question[isBaseline ? path : 'candidates'] = isBaseline ? value.spec : [value.spec];
    return;
  }
  const keys = path.split('.');
  const last = /** @type {string} */ (keys.pop());
  const part = keys.reduce((inner, key) => inner[key], record);
  const property = { value, enumerable: value !== undefined, configurable: true, writable: true };
  Object.defineProperty(part, last, property);
}

const CELL = { id: 'serialize deep', operation: 'serialize', corpus: 'deep' };
const MANY = {
  id: 'serialize comments:9000000',
  operation: 'serialize',
  corpus: 'comments:9000000',
};
const NINE_NODES = Array.from({ length: 9 }, (_, minor) => {
  const node = `22.${minor}.0`;
  const runtime = `node@${node}`;
  return { ...CELL, id: `serialize deep ${runtime}`, runtime };
});
/** @param {string} spec @param {string} kind @param {object} [more] */
const variant = (spec, kind, more) => ({ spec, kind, ...more });

/** @type {[string, Changes, RegExp][]} */
const TAMPERED = [
  ['other sources', { 'variants.baseline.digest': OTHER_DIGEST }, /'recursive' is not what was/],
  [
    'another package',
    { 'variants.candidates.0.integrity': 'sha512-AAAA' },
    /package of 'npm:bson@7.3.4' is not/,
  ],
  [
    'another entry file',
    { 'variants.candidates.0.digest': OTHER_DIGEST },
    /'npm:bson@7.3.4' is not what was/,
  ],
  ['other documents', { 'corpora.0.digest': OTHER_DIGEST }, /corpus 'deep' is not what was/],
  ['documents without a digest', { corpora: [] }, /one digest for the corpus 'deep'/],
  ['an invalid digest', { 'corpora.0.digest': 'sha256:$(id)' }, /corpora\[0\].digest/],
  [
    'a shell character in a name',
    { baseline: variant('recursive;id', 'built-in') },
    /is not a variant/,
  ],
  [
    'a command in a version',
    { candidate: variant('npm:bson@7.3.4$(id)', 'npm') },
    /is not a version of a package/,
  ],
  [
    'a flag as a revision',
    { candidate: variant('git:../x@--upload-pack=id', 'git') },
    /not a revision/,
  ],
  [
    'a package of another',
    { candidate: variant('npm:left-pad@1.3.0', 'npm') },
    /not a package of js-bson/,
  ],
  ['no integrity', { 'variants.candidates.0.integrity': undefined }, /version and integrity/],
  [
    'a version unlike the spec',
    { 'variants.candidates.0.version': '7.2.0' },
    /version and integrity/,
  ],
  ['an unknown variant', { baseline: variant('nobody', 'built-in') }, /no variant 'nobody'/],
  [
    'an unknown family',
    { baseline: variant('other:recursive', 'built-in') },
    /no variant 'other:rec/,
  ],
  [
    'another spec than the question',
    { 'variants.baseline.spec': 'generator' },
    /instead of 'recursive'/,
  ],
  ['a kind unlike the spec', { 'variants.baseline.kind': 'npm' }, /not of the kind 'npm'/],
  [
    'another Node than the pin',
    { baseline: variant('recursive@node=22', 'built-in', { runtime: 'node@20.1.0' }) },
    /not measured under 'node@20.1.0'/,
  ],
  [
    'a module by path',
    { candidate: variant('path:/tmp/codec.js', 'path') },
    /'path:\/tmp\/codec.js', which has to be mapped/,
  ],
  [
    'a checkout',
    { candidate: variant('git:../x@main', 'git', { revision: { commit: COMMIT, changes: null } }) },
    /'git:..\/x', which has to be mapped/,
  ],
  ['a corpus outside', { 'question.cells.0.corpus': '../../x' }, /no corpus '..\/..\/x'/],
  ['an operation outside', { 'question.cells.0.operation': '../../x' }, /no operation '..\/..\/x'/],
  [
    'a property of objects',
    { 'question.cells.0.operation': 'constructor' },
    /no operation 'constructor'/,
  ],
  ['a family outside', { 'question.family': '../../x' }, /no family '..\/..\/x'/],
  [
    'another name of a cell',
    { 'question.cells.0.id': 'serialize flat' },
    /'serialize flat' is 'serialize deep'/,
  ],
  ['another figure', { 'question.cells.0.figure': 'apples' }, /the figure of 'serialize deep'/],
  ['a cell twice', { 'question.cells': [CELL, CELL] }, /appears twice/],
  ['no cells', { 'question.cells': [] }, /cells has 0 items, fewer than 1/],
  ['too many cells', { 'question.cells': Array(201).fill(CELL) }, /201 items, more than 200/],
  [
    'too many documents',
    { 'question.cells': [MANY], 'corpora.0.label': MANY.corpus, results: [] },
    /9000000 documents/,
  ],
  ['many versions of Node', { 'question.cells': NINE_NODES, results: [] }, /asks for 10 runtimes/],
  ['a result of no cell', { 'results.0.cellId': 'serialize flat' }, /which is not a cell/],
  ['an interval upside down', { 'results.0.ratio.high': 0.5 }, /the interval of 'serialize deep'/],
  ['descending looks', { 'question.looks': [8, 4] }, /looks '8, 4'/],
  [
    'too many processes',
    { 'question.looks': [20_000] },
    /looks\[0\] is 20000 but should be at most 10000/,
  ],
  ['too large a minimum effect', { 'question.minimumEffect': 2 }, /is 2 but should be at most 1/],
  ['too large an error rate', { 'question.alpha': 0.9 }, /alpha is 0.9 but should be at most 0.5/],
  ['an invalid seed', { 'question.seed': -1 }, /seed is -1 but should be at least 0/],
  ['days of measuring', { 'question.budgetSeconds': 1e6 }, /1000000 but should be at most 86400/],
  [
    'a flag that loads code',
    { 'question.nodeFlags': ['--import=data:,0'] },
    /flag '--import=data:,0'/,
  ],
  ['an invalid row', { 'question.acceptedRows': ['../x'] }, /acceptedRows\[0\] is "..\/x"/],
  ['screen mode without its flag', { 'question.mode': 'screen' }, /lack --predictable/],
  ['memory alone', { 'question.memory': 'only' }, /only memory/],
  ['an invalid Node', { 'environment.node': '20; id' }, /not an exact version of a runtime/],
  ['text that controls the terminal', { runId: 'x\u001b[2J' }, /invisible characters: 'x\\u\{1b\}/],
  ['text that reads backwards', { 'assay.version': '1\u202e0' }, /invisible characters/],
  ['text without end', { runId: 'x'.repeat(5000) }, /a text of 5000 characters/],
  ['an unknown key', { hook: 'id' }, /hook is not known/],
  ['a prototype', JSON.parse('{ "__proto__": {} }'), /__proto__/],
  ['another format', { formatVersion: 99 }, /has format 99, this Assay reads format/],
];

test.each(TAMPERED)('a report with %s is refused, and nothing runs', async (_, changes, words) => {
  const error = await refusalOf(changes);
  expect(error.message).toMatch(words);
  expect(error.exitStatus).toBe(EXIT.usage);
});

const THEIRS = variant('path:../theirs.js', 'path');

test('the report of a replay under another Node is not refused for the names of its cells', async () => {
  const error = await refusalOf({ 'question.cells.0.runtime': 'node@22.11.0', candidate: THEIRS });
  expect(error.message).toMatch(/'path:..\/theirs.js', which has to be mapped/);
});

describe('an option is refused', () => {
  test.each([
    ['--build, where the report has no build command', [], true, /--build .* the report has none/],
    [
      '--map of a variant that the report does not have',
      ['git:../x=../y'],
      false,
      /^--map 'git:..\/x=..\/y' matches no variant of the report$/,
    ],
  ])('%s', async (_, map, build, message) => {
    expect((await refusalOf({}, map, build)).message).toMatch(message);
  });

  test('--map to a path with other code than was measured', async () => {
    const module = join(directory, 'codec.js');
    writeFileSync(module, 'export const variant = {};\n');
    const error = await refusalOf({ candidate: THEIRS }, [`path:../theirs.js=${module}`]);
    expect(error.message).toMatch(
      /code of 'path:\.\.\/theirs.js' is not what was measured: it was 'sha256:0a0a/,
    );
  });
});
