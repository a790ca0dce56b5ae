import { renderTerminal } from '../document/terminal.js';
import { countSetUps, needsSection, setUpSection } from './setup.js';

/** @import { SetUp } from '../../harness/formats/types.ts' */

const COMPILER = {
  name: 'rustc',
  leastVersion: '1.90',
  versionArgs: ['--version'],
  install: 'rustup update',
};
const BUILDER = { ...COMPILER, name: 'cargo' };

/** @type {Record<'built' | 'plain' | 'missing' | 'failed', SetUp>} */
const SET_UPS = {
  built: {
    name: 'rust-facet',
    outcome: 'ready',
    toolchain: { cargo: '1.95.0', rustc: '1.95.1' },
    buildMs: 41_000,
  },
  plain: { name: 'js-bson', outcome: 'ready', toolchain: {}, buildMs: null },
  missing: {
    name: 'rust-facet',
    outcome: 'missing',
    missing: [
      { tool: BUILDER, found: '1.63.0' },
      { tool: COMPILER, found: null },
    ],
  },
  failed: {
    name: 'url-bridge',
    outcome: 'failed',
    message: 'g++ failed: no such file\nin addon.cpp',
    remedy: 'look there',
  },
};

/** @param {SetUp} setUp @param {boolean} [color] */
function layOut(setUp, color = false) {
  return renderTerminal({ sections: [setUpSection(setUp, 11)] }, { color })
    .trimEnd()
    .split('\n');
}

test('what is ready: with which versions, and when it was built', () => {
  const { built } = SET_UPS;
  const row = 'rust-facet   ready: cargo 1.95.0, rustc 1.95.1; built';
  expect(layOut(built)).toEqual([`${row} in 41.0 s`]);
  expect(layOut({ .../** @type {any} */ (built), buildMs: null })).toEqual([`${row} before`]);
  expect(layOut(SET_UPS.plain)).toEqual(['js-bson      ready: needs nothing']);
});

test('what cannot run: what it needs, what was found, and each remedy once', () => {
  expect(layOut(SET_UPS.missing)).toEqual([
    'rust-facet   cannot run here: needs cargo ≥ 1.90 (found 1.63.0) and rustc ≥ 1.90',
    '             (not found); install: rustup update',
  ]);
});

test('what failed: all that is known of it', () => {
  expect(layOut(SET_UPS.failed)).toEqual([
    'url-bridge   failed: g++ failed: no such file',
    '',
    '   │ in addon.cpp',
    '',
    'look there',
  ]);
});

test('colour is on the words alone', () => {
  const [line] = layOut(SET_UPS.plain, true);
  expect(line).toBe('js-bson      \u001b[32mready: needs nothing\u001b[0m');
});

test('the closing line counts what there is', () => {
  const { built, plain, missing, failed } = SET_UPS;
  expect(countSetUps([built, plain])).toBe('2 ready');
  expect(countSetUps([built, missing, plain])).toBe('2 ready, 1 cannot run here');
  expect(countSetUps([missing, failed])).toBe('0 ready, 1 cannot run here, 1 failed');
});

test('without a question: what each family needs, and how to build it', () => {
  const families = [
    { name: 'js-bson', toolchain: [] },
    { name: 'rust-facet', toolchain: [BUILDER, COMPILER] },
  ];
  const text = renderTerminal({ sections: [needsSection(families)] });
  expect(text.trimEnd().split('\n')).toEqual([
    'js-bson     needs nothing',
    'rust-facet  needs cargo ≥ 1.90, rustc ≥ 1.90',
    '',
    'Build what is missing with: just setup NAME, or just setup --all',
  ]);
});
