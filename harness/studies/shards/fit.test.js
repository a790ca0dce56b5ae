import { requireOnePlan } from './fit.js';
import { makeWhole, splitIntoParts } from './test-support/make-shards.js';

/** @import { Manifest, Question } from '../../formats/types.ts' */
/** @import { Part } from './fit.js' */

const WHOLE = makeWhole();
const PARTS = splitIntoParts(WHOLE, 3);
const [FIRST, SECOND, THIRD] = PARTS;
const OTHER_DIGEST = `sha256:${'9'.repeat(64)}`;

/** @type {(part: Part, changes: Partial<Manifest>) => Part} */
function changeManifest({ name, run }, changes) {
  return { name, run: { ...run, manifest: { ...run.manifest, ...changes } } };
}

/**
 * @param {Partial<Manifest['variants']['baseline']>} changes of both arms
 * @returns {Manifest['variants']}
 */
function changeArms(changes) {
  const { baseline, candidates, reference } = WHOLE.manifest.variants;
  return {
    reference,
    baseline: { ...baseline, ...changes },
    candidates: [{ ...candidates[0], ...changes }],
  };
}

/** @param {string} node */
const runUnder = (node) => ({ environment: { ...WHOLE.manifest.environment, node } });

describe('shards fit together', () => {
  test.each(
    /** @type {[string, Part[]][]} */ ([
      ['in order', PARTS],
      ['in reverse order', PARTS.toReversed()],
      [
        'under several Nodes, if both arms are pinned to one',
        PARTS.map((part, index) =>
          changeManifest(part, {
            variants: changeArms({ runtime: 'node@22.11.0' }),
            ...runUnder(`v20.0.${index}`),
          }),
        ),
      ],
      [
        'under several Nodes, if a program of the family measures',
        PARTS.map((part, index) =>
          changeManifest(part, {
            variants: changeArms({ program: { executable: 'worker', args: [], loop: [] } }),
            ...runUnder(`v20.0.${index}`),
          }),
        ),
      ],
    ]),
  )('%s', (_, parts) => {
    expect(() => requireOnePlan(parts)).not.toThrow();
  });
});

describe('a shard is refused with', () => {
  const { assay, settings, variants, environment } = WHOLE.manifest;
  const { question } = SECOND.run.manifest;
  /** @type {(changes: Partial<Question>) => Partial<Manifest>} */
  const ask = (changes) => ({ question: { ...question, ...changes } });

  test.each(
    /** @type {[string, Partial<Manifest>, RegExp][]} */ ([
      ['another seed', ask({ seed: 7 }), /cannot merge 'B' with 'A': seed differs \(7, not 20250/],
      ['other looks', ask({ looks: [4, 8] }), /looks differs/],
      ['another minimum effect', ask({ minimumEffect: 0.02 }), /minimum effect differs/],
      ['a build', ask({ build: 'npm run build' }), /build differs \(npm run build, not null\)/],
      ['cells of another', ask({ cells: FIRST.run.manifest.question.cells }), /is in two shards/],
      [
        'another Assay',
        { assay: { ...assay, revision: 'abc' } },
        /revision of Assay differs \(0\.1\.0 abc/,
      ],
      [
        'other settings of jobs',
        { settings: { ...settings, batchMs: 20 } },
        /batch ms differs \(20, not/,
      ],
      [
        'other code behind the same spec',
        {
          variants: {
            ...variants,
            candidates: [{ ...variants.candidates[0], digest: OTHER_DIGEST }],
          },
        },
        /code of 'linked-list' differs \(sha256:999/,
      ],
      [
        'another toolchain',
        {
          variants: {
            ...variants,
            baseline: { ...variants.baseline, toolchain: { cc: '13.1.0' } },
          },
        },
        /cc differs \(13\.1\.0, not none\)/,
      ],
      [
        'another Node',
        { environment: { ...environment, node: 'v22.1.0' } },
        /Node differs \(v22\.1\.0, not v20\.20\.2\)/,
      ],
      ['parts, as a merged run has', { parts: [] }, /'B' is a merged run/],
    ]),
  )('%s', (_, changes, message) => {
    expect(() => requireOnePlan([FIRST, changeManifest(SECOND, changes), THIRD])).toThrow(message);
  });
});

describe('shards are refused if', () => {
  const { shard } = FIRST.run.manifest.question;
  const [, secondOfTwo] = splitIntoParts(WHOLE, 2);
  const cells = WHOLE.manifest.question.cells.slice(0, 4);
  const [, smaller] = splitIntoParts(makeWhole({ cells }), 3);
  const four = splitIntoParts(WHOLE, 4);
  const corpora = four[2].run.manifest.corpora.map((corpus) => ({
    ...corpus,
    digest: OTHER_DIGEST,
  }));
  const observations = [...SECOND.run.observations, FIRST.run.observations[0]];

  test.each(
    /** @type {[string, Part[], RegExp][]} */ ([
      ['one measured the whole plan', [{ name: 'all', run: WHOLE }], /'all' is not a shard/],
      ['one is of more shards', [FIRST, secondOfTwo], /number of shards differs \(2, not 3\)/],
      ['one is of a smaller plan', [FIRST, smaller, THIRD], /cells of the plan differs/],
      [
        'any two have different corpora of one name',
        [four[0], four[1], changeManifest(four[2], { corpora }), four[3]],
        /'C' with 'B': corpus 'full' differs/,
      ],
      ['several are missing', [SECOND], /shards 1\/3, 3\/3 are missing/],
      ['one is missing', [FIRST, SECOND], /shard 3\/3 is missing/],
      [
        'there are more of them than cells',
        [
          changeManifest(FIRST, {
            question: {
              ...WHOLE.manifest.question,
              shard: { index: 1, cells: shard?.cells ?? [], count: 1e12 },
            },
          }),
        ],
        /'A' is one of 1000000000000 shards of a plan that has 6 cells/,
      ],
      [
        'one is given twice',
        [...PARTS, { ...FIRST, name: 'again' }],
        /shard 1\/3 is given twice: 'A' and 'again'/,
      ],
      [
        'one has an observation of another',
        [FIRST, { ...SECOND, run: { ...SECOND.run, observations } }, THIRD],
        /'B' has an observation of 'serialize flat'/,
      ],
    ]),
  )('%s', (_, parts, message) => {
    expect(() => requireOnePlan(parts)).toThrow(message);
  });

  test('one was interrupted, with the command that resumes it', () => {
    const interrupted = { name: 'my runs/B', run: { ...SECOND.run, verdict: null } };
    expect(() => requireOnePlan([FIRST, interrupted, THIRD])).toThrow(
      expect.objectContaining({
        message: "'my runs/B' was interrupted before its verdict",
        remedy: "resume it first: just compare --resume 'my runs/B'",
      }),
    );
  });
});
