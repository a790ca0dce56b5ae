import { listDependencyFacts, tabulateDependencies } from './dependencies.js';

/** @param {string} role @param {Record<string, string>} [versions] by path @param {string} [integrity] */
function makeArm(role, versions, integrity = 'sha512-the+same+for+all') {
  if (versions === undefined) return { role, variant: {} };
  const dependencies = Object.entries(versions).map(([path, version]) => ({
    path,
    version,
    integrity,
  }));
  return { role, variant: { dependencies } };
}

test.each([
  ['are the same', makeArm('candidate', { a: '1.0.0' })],
  ['of an arm are not known', makeArm('candidate')],
])('nothing is shown where dependencies %s', (_, candidate) => {
  const arms = [makeArm('baseline', { a: '1.0.0' }), candidate];
  expect([listDependencyFacts(arms), tabulateDependencies(arms)]).toEqual([[], []]);
});

test('each dependency that differs is shown with the version of each arm', () => {
  const arms = [
    makeArm('baseline', { a: '1.0.0', b: '1.0.0', c: '1.0.0', 'c/node_modules/a': '0.1.0' }),
    makeArm('candidate 1', { a: '1.0.1', b: '1.0.0', c: '1.1.0', d: '3.0.0' }),
    makeArm('candidate 2', { a: '1.0.1', b: '1.0.0', c: '1.0.0' }),
  ];
  expect(listDependencyFacts(arms)).toEqual([
    [
      'Dependencies',
      'a 1.0.0 (baseline), 1.0.1 (candidate 1), 1.0.1 (candidate 2); c 1.0.0 (baseline), 1.1.0 (candidate 1), 1.0.0 (candidate 2); c/node_modules/a 0.1.0 (baseline), – (candidate 1), – (candidate 2); 1 more',
    ],
  ]);
  expect(tabulateDependencies(arms)).toMatchObject([
    {
      columns: [
        { title: 'package' },
        { title: 'baseline' },
        { title: 'candidate 1' },
        { title: 'candidate 2' },
      ],
      rows: [
        [{ code: 'a' }, '1.0.0', '1.0.1', '1.0.1'],
        [{ code: 'c' }, '1.0.0', '1.1.0', '1.0.0'],
        [{ code: 'c/node_modules/a' }, '0.1.0', '–', '–'],
        [{ code: 'd' }, '–', '3.0.0', '–'],
      ],
    },
  ]);
});

test('another package of the same version differs by its integrity', () => {
  const arms = [
    makeArm('baseline', { a: '1.0.0' }, 'sha512-one+of+many'),
    makeArm('candidate', { a: '1.0.0' }, 'sha512-the+other+one'),
  ];
  expect(listDependencyFacts(arms)).toEqual([
    ['Dependencies', 'a 1.0.0 sha512-one+of+man… (baseline), 1.0.0 sha512-the+other+… (candidate)'],
  ]);
});
