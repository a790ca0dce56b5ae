import { describe, expect, test } from '@jest/globals';
import { requireOnePlan } from './fit.js';
import { makeWhole, splitIntoParts } from './test-support/make-shards.js';

/** @import { Manifest } from '../../formats/types.ts' */
/** @import { Part } from './fit.js' */

const WHOLE = makeWhole();
const PARTS = splitIntoParts(WHOLE, 3);
const OTHER_DIGEST = `sha256:${'9'.repeat(64)}`;

test('all shards of a plan fit together, in any order', () => {
  expect(() => requireOnePlan(PARTS)).not.toThrow();
  expect(() => requireOnePlan(PARTS.toReversed())).not.toThrow();
});

describe('refused, with what and where', () => {
  test.each([
    ['another seed', { seed: 7 }, /cannot merge 'B' with 'A': seed differs \(7, not 20250612\)/],
    ['other looks', { looks: [4, 8] }, /looks differs/],
    ['another minimum effect', { minimumEffect: 0.02 }, /minimum effect differs/],
    ['a build command', { build: 'npm run build' }, /build differs \(npm run build, not null\)/],
  ])('%s', (_name, question, message) => {
    expect(() =>
      mergeChanged((manifest) => ({ question: { ...manifest.question, ...question } })),
    ).toThrow(message);
  });

  test('another number of shards', () => {
    const [first] = PARTS;
    const [, other] = splitIntoParts(WHOLE, 2);
    expect(() => requireOnePlan([first, other])).toThrow(/number of shards differs \(2, not 3\)/);
  });

  test('other cells in the plan', () => {
    const cells = WHOLE.manifest.question.cells.slice(0, 4);
    const smaller = splitIntoParts(makeWhole({ cells }), 3);
    expect(() => requireOnePlan([PARTS[0], smaller[1], PARTS[2]])).toThrow(
      /cells of the plan differs/,
    );
  });

  test('another Assay', () => {
    const assay = { ...WHOLE.manifest.assay, revision: 'abc' };
    expect(() => mergeChanged(() => ({ assay }))).toThrow(
      /revision of Assay differs \(0\.1\.0 abc/,
    );
  });

  test('other settings of the jobs', () => {
    const settings = { ...WHOLE.manifest.settings, batchMs: 20 };
    expect(() => mergeChanged(() => ({ settings }))).toThrow(/batch ms differs \(20, not/);
  });

  test('another variant behind the same spec', () => {
    expect(() =>
      mergeChanged(({ variants }) => ({
        variants: { ...variants, candidate: { ...variants.candidate, digest: OTHER_DIGEST } },
      })),
    ).toThrow(/code of 'linked-list' differs \(sha256:999/);
  });

  test('another corpus of the same name, whichever two shards have it', () => {
    const [first, second, third, fourth] = splitIntoParts(WHOLE, 4);
    const corpora = third.run.manifest.corpora.map((corpus) => ({
      ...corpus,
      digest: OTHER_DIGEST,
    }));
    const changed = {
      ...third,
      run: { ...third.run, manifest: { ...third.run.manifest, corpora } },
    };
    expect(() => requireOnePlan([first, second, changed, fourth])).toThrow(
      /'C' with 'B': corpus 'full' differs/,
    );
  });

  test('another Node', () => {
    expect(() =>
      mergeChanged(({ environment }) => ({ environment: { ...environment, node: 'v22.1.0' } })),
    ).toThrow(/Node differs \(v22\.1\.0, not v20\.20\.2\)/);
  });

  test('another Node, but not where a program of the family measures', () => {
    const { baseline, candidate, reference } = WHOLE.manifest.variants;
    const program = { executable: 'worker', args: [], loop: [] };
    const variants = {
      reference,
      baseline: { ...baseline, program },
      candidate: { ...candidate, program },
    };
    const manifest = { ...WHOLE.manifest, variants };
    const [first, second, third] = splitIntoParts({ ...WHOLE, manifest }, 3);
    const { environment } = manifest;
    second.run.manifest.environment = { ...environment, node: 'v22.1.0' };
    expect(() => requireOnePlan([first, second, third])).not.toThrow();
  });

  test('another toolchain', () => {
    const toolchain = { cc: '13.1.0' };
    expect(() =>
      mergeChanged(({ variants }) => ({
        variants: { ...variants, baseline: { ...variants.baseline, toolchain } },
      })),
    ).toThrow(/cc differs \(13\.1\.0, not none\)/);
  });

  test('a run that is no shard', () => {
    expect(() => requireOnePlan([{ name: 'all', run: WHOLE }])).toThrow(/'all' is not a shard/);
  });

  test('a run that was merged already', () => {
    expect(() => mergeChanged(() => ({ parts: [] }))).toThrow(/'B' is a merged run/);
  });

  test('a shard that was cut off, with the command that goes on', () => {
    const [first, second, third] = PARTS;
    const cut = { name: 'runs/B', run: { ...second.run, verdict: null } };
    expect(() => requireOnePlan([first, cut, third])).toThrow(
      expect.objectContaining({
        message: "'runs/B' was interrupted before its verdict",
        remedy: 'resume it first: just compare --resume runs/B',
      }),
    );
  });

  test('missing shards, all of them named', () => {
    expect(() => requireOnePlan(PARTS.slice(1, 2))).toThrow(/shards 1\/3, 3\/3 are missing/);
    expect(() => requireOnePlan(PARTS.slice(0, 2))).toThrow(/shard 3\/3 is missing/);
  });

  test('more shards than the plan has cells, without counting what is missing', () => {
    const [{ name, run }] = PARTS;
    const { shard, ...question } = run.manifest.question;
    const many = { ...shard, index: 1, cells: shard?.cells ?? [], count: 1e12 };
    const changed = {
      ...run,
      manifest: { ...run.manifest, question: { ...question, shard: many } },
    };
    expect(() => requireOnePlan([{ name, run: changed }])).toThrow(
      /'A' is one of 1000000000000 shards of a plan that has 6 cells/,
    );
  });

  test('a shard measured twice', () => {
    const again = { ...PARTS[0], name: 'again' };
    expect(() => requireOnePlan([...PARTS, again])).toThrow(
      /shard 1\/3 is given twice: 'A' and 'again'/,
    );
  });

  test('cells that are not those of the shard', () => {
    const { cells } = PARTS[0].run.manifest.question;
    expect(() => mergeChanged(({ question }) => ({ question: { ...question, cells } }))).toThrow(
      /an observation of|is in two shards/,
    );
  });

  test('an observation of a cell that another shard has', () => {
    const [first, second, third] = PARTS;
    const observations = [...second.run.observations, first.run.observations[0]];
    const strange = { ...second, run: { ...second.run, observations } };
    expect(() => requireOnePlan([first, strange, third])).toThrow(
      /'B' has an observation of 'serialize flat'/,
    );
  });
});

test('the Node of the host does not count where no job ran under it', () => {
  const parts = PARTS.map(({ name, run }, index) => {
    const { manifest } = run;
    const { baseline, candidate } = manifest.variants;
    const node = '22.11.0';
    const variants = {
      ...manifest.variants,
      baseline: { ...baseline, node },
      candidate: { ...candidate, node },
    };
    const environment = { ...manifest.environment, node: `v20.0.${index}` };
    return { name, run: { ...run, manifest: { ...manifest, variants, environment } } };
  });
  expect(() => requireOnePlan(parts)).not.toThrow();
});

/**
 * All parts, the second of them with another manifest.
 *
 * @param {(manifest: Manifest) => Partial<Manifest>} change
 */
function mergeChanged(change) {
  const [first, second, third] = PARTS;
  const { manifest } = second.run;
  /** @type {Part} */
  const changed = {
    ...second,
    run: { ...second.run, manifest: { ...manifest, ...change(manifest) } },
  };
  requireOnePlan([first, changed, third]);
}
