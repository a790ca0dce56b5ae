import { prepareFlameData } from '../figures/flame-data.js';
import { makeCellProfiles, makeView, NAMES } from '../figures/test-support/flame-fixtures.js';
import { buildFlameTree } from './flame-tree.js';
import { describeMatches, describeNode, labelNode, stepOf, weightRows } from './flame-words.js';

/** @import { ProfileView } from '../../harness/formats/profile-types.ts' */
/** @import { FlameNode } from './flame-tree.js' */
/** @import { FlameContext } from './flame-words.js' */

/** @param {string} text with its no-break spaces as plain ones */
const plain = (text) => text.replaceAll('\u00a0', ' ');

/**
 * @param {FlameNode} node
 * @returns {FlameNode[]}
 */
const listAll = (node) => [node, ...node.children.flatMap(listAll)];

/**
 * @param {ProfileView | undefined} view
 * @param {Partial<FlameContext>} [more]
 * @returns {{ context: FlameContext, find: (name: string) => FlameNode }}
 */
function draw(view, more = {}) {
  if (view === undefined) throw new Error('no view');
  const data = prepareFlameData(view, 100);
  const root = buildFlameTree(data, more.view ?? 'difference', 'serialize flat');
  /** @type {FlameContext} */
  const context = {
    view: 'difference',
    measure: 'self',
    unit: data.unit,
    whole: root.total,
    names: NAMES,
    ...more,
  };
  const find = (/** @type {string} */ name) => {
    const found = listAll(root).find((node) => node.name === name);
    if (found === undefined) throw new Error(`no node ${name}`);
    return found;
  };
  return { context, find };
}

describe('the label of a frame', () => {
  const [time, bytes] = makeCellProfiles().views;

  test('marks more and less by a sign, and what is gone or new by a word', () => {
    const { context, find } = draw(time);
    expect(labelNode(find('writeFields'), context)).toBe('▼ writeFields gone −5.00 µs');
    expect(labelNode(find('resume'), context)).toBe('▲ resume new +4.00 µs');
    expect(labelNode(find('writeText'), context)).toBe('▲ writeText +300 ns');
    expect(labelNode(find('run'), context)).toBe('run');
  });

  test('marks what is not JavaScript', () => {
    const { context, find } = draw(time);
    expect(labelNode(find('ObjectEntries'), context)).toBe(
      '▲ ObjectEntries [builtin] new +9.00 µs',
    );
  });

  test('does not call a function gone or new that is only called from elsewhere', () => {
    const { context, find } = draw(
      makeView([
        ['old', -1, 10, 0],
        ['moved', 0, 90, 0],
        ['fresh', -1, 0, 10],
        ['moved', 2, 0, 90],
      ]),
    );
    expect(labelNode(find('moved'), context)).toBe('▼ moved gone here −90.0 ns');
    expect(describeNode(find('moved'), context)).toContain(
      'called from here only by the baseline; the other arm calls it from elsewhere',
    );
    expect(labelNode(find('old'), context)).toBe('▼ old gone −10.0 ns');
  });

  test('shows the change of the total where colours do', () => {
    const { context, find } = draw(time, { measure: 'total' });
    expect(labelNode(find('resume'), context)).toBe('▲ resume new +13.0 µs');
    expect(labelNode(find('run'), context)).toBe('▲ run +8.30 µs');
  });

  test('has the total of one arm in the view of that arm', () => {
    const { context, find } = draw(time, { view: 'candidate' });
    expect(labelNode(find('resume'), context)).toBe('resume 13.0 µs');
  });

  test('counts bytes where the profile does', () => {
    const { context, find } = draw(bytes);
    expect(plain(labelNode(find('resume'), context))).toBe('▲ resume new +20.0 KiB');
  });

  test('of the root has both arms and the change', () => {
    const { context, find } = draw(time);
    expect(plain(labelNode(find('serialize flat'), context))).toBe(
      'serialize flat: 8.50 µs → 18.4 µs, +9.90 µs (+116 %)',
    );
  });

  test('leaves out the namespace that most of V8 shares', () => {
    const { context, find } = draw(makeView([['v8::internal::Heap::Scavenge', -1, 1, 1]]));
    expect(labelNode(find('v8::internal::Heap::Scavenge'), context)).toBe('Heap::Scavenge');
  });
});

describe('the colour of a frame', () => {
  test('grows with the share of the whole that the change is', () => {
    const { context, find } = draw(
      makeView([
        ['run', -1, 10000, 10000],
        ['a', 0, 0, 10],
        ['b', 0, 0, 50],
        ['c', 0, 200, 0],
        ['d', 0, 5000, 0],
      ]),
    );
    expect(['a', 'b', 'c', 'd'].map((name) => stepOf(find(name), context))).toEqual([0, 1, -2, -4]);
  });
});

describe('the description of a frame', () => {
  test('has place, both arms, change and shares', () => {
    const { context, find } = draw(makeCellProfiles().views[0]);
    expect(plain(describeNode(find('writeText'), context))).toBe(
      'writeText; JavaScript, codec/writeText.js:7; ' +
        'self 3.00 µs in recursive, 3.30 µs in generator, +300 ns (+10 %); ' +
        'total 3.00 µs in recursive, 3.30 µs in generator, +300 ns (+10 %); ' +
        '35 % and 18 % of the whole',
    );
    expect(describeNode(find('writeFields'), context)).toContain('gone in the candidate');
  });

  test('has no percentage where an arm has nothing', () => {
    const { find } = draw(makeCellProfiles().views[0]);
    expect(weightRows(find('resume'), 'ns')[0]).toEqual({
      title: 'self',
      baseline: '0 ns',
      candidate: '4.00 µs',
      change: '+4.00 µs',
    });
  });
});

describe('the result of a search', () => {
  test('has the number of frames and their share in both arms', () => {
    const { context } = draw(makeCellProfiles().views[0]);
    const total = { baseline: 850.1, candidate: 1840.1 };
    expect(plain(describeMatches({ matches: 2, total }, context))).toBe(
      '2 frames match: 10 % of recursive, 10 % of generator',
    );
    expect(describeMatches({ matches: 0, total }, context)).toBe('no frame matches');
  });
});
