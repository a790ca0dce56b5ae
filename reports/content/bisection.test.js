import { answerFor, makeBisection } from '../../harness/studies/bisect/test-support/fixtures.js';
import { renderTerminal } from '../document/terminal.js';
import { describeBisection, describeStep } from './bisection.js';

/** @import { Bisection, BisectionStep } from '../../harness/formats/types.ts' */

const PLACES = { path: 'reports/runs/20261121-bisect', why: 'just compare A B --op serialize' };

/** @type {(candidate: number, ratio: number, changes?: Partial<BisectionStep>) => BisectionStep} */
function makeStep(candidate, ratio, changes = {}) {
  return {
    purpose: 'search',
    baseline: 'npm:codec@1.0.0',
    candidate: `npm:codec@1.${candidate}.0`,
    attempt: 1,
    seed: 4_294_967_295,
    alpha: 0.005,
    boundary: 1.2,
    ...answerFor(ratio, 1.2),
    seconds: 34.2,
    ...changes,
  };
}

/** @type {BisectionStep} */
const UNBUILT = makeStep(2, 1, {
  answer: 'unusable',
  verdict: null,
  ratio: null,
  processes: 0,
  reason: 'the build failed\n\u001b[31mloudly',
});

/** @param {Partial<Bisection>} [changes] @returns {Bisection} */
function makeFound(changes = {}) {
  return {
    ...makeBisection(5),
    boundary: 1.2,
    steps: [makeStep(4, 1.44, { purpose: 'ends' }), UNBUILT, makeStep(1, 1.44)],
    ended: 'found',
    firstBad: 'npm:codec@1.1.0',
    change: { verdict: 'slower', ratio: { estimate: 1.44, low: 1.4, high: 1.5 } },
    ...changes,
  };
}

describe('the line on a step', () => {
  test.each([
    ['answer', makeStep(1, 1.44), '1.1.0 against 1.0.0 · bad · ×1.440 [1.426–1.454]'],
    ['verdict', makeStep(1, 1.44, { purpose: 'ends' }), '· slower · ×1.440'],
    ['reason', UNBUILT, '1.2.0 against 1.0.0 · skipped · the build failed · 34.2 s'],
  ])('has its %s', (_, step, part) => {
    const line = describeStep(step, makeFound({ steps: [step, step] })).replaceAll('\u00a0', ' ');
    expect(line.startsWith('step 2 · ')).toBe(true);
    expect(line).toContain(part);
    expect(line).not.toContain('\n');
  });
});

describe('the result', () => {
  test('names the first bad version and its ratio to the one before', () => {
    const text = renderTerminal(describeBisection(makeFound(), PLACES));
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'serialize flat is slower since 1.1.0: ×1.440 [1.400–1.500] compared with 1.0.0, its predecessor.',
    );
    expect(text).toContain('just compare A B');
    expect(text).toContain(PLACES.path);
  });

  test('names what could not be measured where that lies before it', () => {
    const skipped = [{ spec: 'npm:codec@1.2.0', reason: 'the build failed' }];
    const found = makeFound({ firstBad: 'npm:codec@1.3.0', skipped });
    expect(renderTerminal(describeBisection(found, PLACES)).replaceAll(/\s+/g, ' ')).toContain(
      'slower since 1.3.0, or since an earlier one that could not be measured (1.2.0)',
    );
  });

  test('says so where the step itself is not slower by the usual rule', () => {
    const change = {
      verdict: /** @type {const} */ ('equivalent'),
      ratio: { estimate: 1.01, low: 0.99, high: 1.02 },
    };
    expect(renderTerminal(describeBisection(makeFound({ change }), PLACES))).toContain(
      'equivalent, ×1.010',
    );
  });

  test.each([
    ['interrupted', 'Interrupted'],
    ['not-settled', 'Not settled'],
  ])('that is %s says how far the search got', (ended, word) => {
    const bisection = makeFound({
      ended: /** @type {Bisection['ended']} */ (ended),
      firstBad: 'npm:codec@1.4.0',
      change: null,
    });
    const text = renderTerminal(describeBisection(bisection, { ...PLACES, why: null }));
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      `${word}: serialize flat became slower after 1.0.0 and no later than 1.4.0, with 3 between them.`,
    );
    expect(text).not.toMatch(/^(Why|Resume)/m);
  });

  test('does not say that it became slower where the ends were not compared', () => {
    const opened = { ...makeBisection(5), steps: [], ended: /** @type {const} */ ('interrupted') };
    const resume = 'just bisect --resume x';
    const text = renderTerminal(describeBisection(opened, { ...PLACES, why: null, resume }));
    expect(text).toMatch(/^Resume +just bisect --resume x$/m);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'Interrupted before it was known whether serialize flat is slower in 1.4.0 than in 1.0.0.',
    );
    expect(text).not.toContain('became slower');
  });

  test('says why a step has no answer, without control characters', () => {
    const text = renderTerminal(describeBisection(makeFound(), PLACES));
    expect(text).toContain('step 2, 1.2.0: the build failed');
    expect(text).not.toContain('\u001b');
  });

  test('shows the subjects of the commits in question, made harmless', () => {
    const candidates = makeBisection(5).candidates.map((candidate, index) => ({
      ...candidate,
      subject: `subject ${index} \u001b[2J`,
    }));
    const text = renderTerminal(describeBisection(makeFound({ candidates }), PLACES));
    expect(text).toContain('1.0.0 subject 0 \\u{1b}[2J');
    expect(text).toContain('1.1.0 subject 1');
    expect(text).not.toContain('subject 4');
  });
});
