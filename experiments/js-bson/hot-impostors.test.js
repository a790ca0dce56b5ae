/** Codecs that look fast in a timed loop only are refused by spot checks or the output of the timed job: decision 0027. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as bson from 'bson';
import { prepareCorpus } from '../../corpora/support/prepare.js';
import { EXIT } from '../../harness/lib/errors.js';
import { describeMore, isLong, isRest, testLong } from '../../harness/testing/support/gates.js';
import { callAssay } from '../../harness/testing/support/project.js';
import { makeTestDirectory } from '../../harness/testing/support/directories.js';
import { isSameFrame } from '../../harness/worker/frames.js';
import { openRandom } from '../../harness/worker/random.js';
import { runSpotChecks } from '../../harness/worker/finish-measured.js';
import { operation as calculateSize } from './operations/calculate-size.js';
import { operation as deserialize } from './operations/deserialize.js';
import { operation as serialize } from './operations/serialize.js';
import { HOT_IMPOSTORS, pauses } from './test-support/hot-impostors.js';
import * as champion from './variants/champion.js';
import * as linkedList from './variants/linked-list.js';
import * as pooledObjectId from './variants/pooled-objectid.js';

/** @import { Operation, PreparedCorpus } from '../../harness/formats/types.ts' */

const directory = makeTestDirectory('hot-impostors');

/** Those of the claims: nested, with dates; many small ones and those with arrays only in long tests. */
const LABELS = [
  ...(isRest ? [] : ['deep', 'comments:3']),
  ...(isLong ? ['small-doc', 'tweet'] : []),
];
const CORPORA = await Promise.all(LABELS.map((label) => prepareCorpus(label, { directory })));

/** Time of a call of what looks fast, so that spot checks make as many passes as they ever do. */
const FAST_NS = 1;
/** That of a process which is two seconds old, and stands still, so that a slow machine makes no fewer checks. */
const stoppedClock = () => 2_000;

/** @type {Record<string, Operation<any>>} */
const OPERATIONS = { serialize, deserialize, 'calculate-size': calculateSize };

/** @type {(codec: object, operation: Operation<any>, corpus: PreparedCorpus) => Promise<any>} as in a timed job, before checks */
async function timeCalls(codec, operation, corpus) {
  const state = await operation.prepare({ ...bson, ...codec }, corpus);
  operation.run(state, 12);
  operation.keepSample?.(state);
  operation.run(state, 2);
  return state;
}

/** @type {(operation: Operation<any>) => Operation<any>} whose runs begin after a pause */
function withPauses(operation) {
  return {
    ...operation,
    run(state, passes) {
      pauses.count++;
      return operation.run(state, passes);
    },
  };
}

/** @type {(codec: object, operation: Operation<any>, corpus: PreparedCorpus, seed: number) => Promise<string | null>} the fault that a timed job finds */
async function findFault(codec, operation, corpus, seed) {
  const state = await timeCalls(codec, operation, corpus);
  const random = openRandom([seed, 2, 3, 4]);
  const [fault] = await runSpotChecks(withPauses(operation), state, FAST_NS, random, stoppedClock);
  if (fault !== undefined) return fault;
  const expected = await operation.output(await operation.prepare(bson, corpus));
  pauses.count++;
  const found = await operation.output(state);
  const isSame =
    found.length === expected.length &&
    found.every((frame, index) => isSameFrame(frame, expected[index]));
  return isSame ? null : 'another output';
}

const STALE =
  /after a change of .* the result has .* where that for a new copy has|does not change the result/;

/** The operation that each would make look fast, and what is found. @type {Record<string, [operation: string, fault: RegExp]>} */
const EXPECTED = {
  'looks at the value that varies': ['serialize', STALE],
  'looks at the first values': ['serialize', STALE],
  'looks at half of the values': ['serialize', STALE],
  'looks at text and numbers': ['serialize', STALE],
  'looks at values, not at keys': ['serialize', STALE],
  'knows documents by their keys': ['serialize', STALE],
  'looks again after a pause': ['serialize', STALE],
  'looks again every hundred calls': ['serialize', STALE],
  'returns bytes that are made when they are read': ['serialize', /has .* Buffer 0 bytes/],
  'returns memory that another thread fills': ['serialize', /has .*a byte array in memory/],
  'fills its bytes later': ['serialize', /bytes: 0000000000/],
  'has documents that notice changes': ['serialize', /^the documents contain a proxy/],
  'reads behind a proxy': ['deserialize', /has "\(whole document\) proxy/],
  'reads when it is asked': ['deserialize', /has ".* accessor/],
  'reads the values later': ['deserialize', /has ".* null/],
  'reads only bytes that have varied': ['deserialize', STALE],
  'knows input by its length and every fourth byte': ['deserialize', /.*/],
  'shares what did not change between results': ['deserialize', /^two results share a part/],
  'freezes what it reads': ['deserialize', /has ".* that cannot be extended/],
  'remembers sizes while the number of keys is the same': ['calculate-size', /.*/],
};

test('every impostor has an expectation', () => {
  expect(Object.keys(EXPECTED)).toEqual(Object.keys(HOT_IMPOSTORS));
});

/** Codecs without a fault. */
const CODECS = isLong ? { bson, champion, linkedList, pooledObjectId } : { bson, champion };

/** Jobs of a comparison, of which one has to find a fault; a comparison has more. */
const JOBS = 8;

describeMore.each(Object.entries(EXPECTED))('a codec that %s', (name, [operation, fault]) => {
  test.each(CORPORA)('is refused on $label', async (corpus) => {
    let found = null;
    for (let job = 1; found === null && job <= JOBS; job++) {
      found = await findFault(HOT_IMPOSTORS[name](), OPERATIONS[operation], corpus, job);
    }
    expect(found).toMatch(fault);
  });
});

describeMore.each(Object.entries(CODECS))('%s', (_, codec) => {
  test.each(CORPORA)('has no fault on $label', async (corpus) => {
    for (const operation of Object.values(OPERATIONS)) {
      expect(await findFault(codec, operation, corpus, 1)).toBeNull();
    }
  });
});

testLong('a comparison in real processes is refused, with what was found', async () => {
  const path = join(directory, 'impostor.js');
  const url = new URL('test-support/hot-impostors.js', import.meta.url);
  writeFileSync(
    path,
    `import { HOT_IMPOSTORS } from '${url}';
     export * from '${url}';
     export const { serialize } = HOT_IMPOSTORS['looks at the value that varies']();`,
  );
  const cell = ['--op', 'serialize', '--corpus', 'deep', '--explain', 'none', '--budget', '60'];
  const { status, stdout } = await callAssay([
    ...['compare', 'linked-list', `path:${path}`, ...cell],
    ...['--out', join(directory, 'out')],
  ]);
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/after a change of/);
  expect(status).toBe(EXIT.wrongBytes);
});
