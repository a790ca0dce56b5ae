/**
 * Which folder may import which: the table in harness/README.md as rules. They also hold for imports of types, which
 * `scripts/check-type-imports.js` checks, because dependency-cruiser reads neither comments nor TypeScript 7.
 */

/** Lowest first; a folder imports those before it. */
const ROOMS = [
  'lib',
  'formats',
  'worker',
  'stats',
  'host',
  'variants',
  'profiling',
  'run',
  'studies',
];

/** Tests may import anything. */
const TESTS = '(^|/)(testing|test-support|fixtures)/|\\.test\\.js$';

/** @param {string} name @param {string} path of the importing modules @param {string} allowed what they may import */
const allowOnly = (name, path, allowed) => ({
  name,
  severity: 'error',
  from: { path, pathNot: TESTS },
  to: { path: '^(harness|reports|corpora|experiments|scripts)/', pathNot: allowed },
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^(harness|reports|corpora)/' },
      to: { circular: true },
    },
    ...ROOMS.map((room, index) => {
      const below = ROOMS.slice(0, index + 1).join('|');
      // These load families and corpora.
      const corpora = ['worker', 'run', 'studies'].includes(room) ? '|^corpora/support/' : '';
      return allowOnly(`below-${room}`, `^harness/${room}/`, `^harness/(${below})/${corpora}`);
    }),
    {
      name: 'set-up-needs-no-packages',
      comment: 'Set-up runs before any package is installed.',
      severity: 'error',
      from: { path: '^scripts/set-up\\.js$' },
      to: { path: '(^|/)node_modules/', reachable: true },
    },
    allowOnly('document', '^reports/document/', '^reports/document/|^harness/(lib|formats|stats)/'),
    allowOnly(
      'figures',
      '^reports/figures/',
      '^reports/(document|figures)/|^harness/(lib|formats|stats)/',
    ),
    allowOnly('reports', '^reports/', '^reports/|^harness/(lib|formats|stats)/'),
    allowOnly('corpora', '^corpora/', '^corpora/|^harness/(lib|formats)/'),
    {
      ...allowOnly(
        'experiments',
        '^experiments/([^/]+)/',
        '^corpora/|^harness/(lib|formats|worker)/',
      ),
      from: {
        path: '^experiments/([^/]+)/',
        // A separate program, not part of the family.
        pathNot: `${TESTS}|^experiments/java-decode/run-jmh\\.js$`,
      },
      to: {
        path: '^(harness|reports|corpora|experiments|scripts)/',
        pathNot: '^corpora/|^harness/(lib|formats|worker)/|^experiments/$1/|^experiments/support/',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(reports/runs|\\.assay|coverage)/' },
  },
};
