import { readPageAssets } from '../fixtures/render.js';
import { linkAssets, linkScripts, PAGE_ASSETS } from './assets.js';

const SQUARE = {
  path: './page/square.js',
  text: 'export function square(n) {\n  return n * n;\n}\n',
};
const CUBE = {
  path: './page/cube.js',
  text: "import {\n  square,\n} from './square.js';\n\nexport const CUBED = square(2) * 2;\n",
};

test('linked scripts run as one plain script in their own scope', () => {
  const script = linkScripts([SQUARE, CUBE], 'globalThis.report(CUBED);');
  /** @type {number[]} */
  const reported = [];
  new Function('globalThis', script)({ report: (/** @type {number} */ n) => reported.push(n) });
  expect(reported).toEqual([8]);
});

test.each(
  /** @type {[string, (typeof SQUARE)[], string][]} */ ([
    [
      'two scripts declare one name',
      [SQUARE, { path: './page/other.js', text: 'function square() {}\n' }],
      './page/other.js declares square, as ./page/square.js does',
    ],
    [
      'a script imports one that does not precede it',
      [CUBE, SQUARE],
      './page/cube.js imports ./square.js, which is not among the scripts before it',
    ],
    ...[
      "import square from './square.js';\n",
      "import { square as s } from './square.js';\n",
      "export { square } from './square.js';\n",
      'export default 1;\n',
    ].map((text) => [
      `linking would break ${text.trim()}`,
      [SQUARE, { path: './page/odd.js', text }],
      './page/odd.js has an import or export of a form that cannot be linked',
    ]),
  ]),
)('linking is refused where %s', (_, modules, message) => {
  expect(() => linkScripts(modules, '')).toThrow(message);
});

describe('the assets of a page', () => {
  const assets = readPageAssets();

  test('include the licence of every library where there are flamegraphs', () => {
    const script = linkAssets(assets, true).scripts.join('\n');
    expect(script).toContain('Permission to use, copy, modify, and/or distribute this software');
    expect(script).toContain('Redistributions of source code must retain');
    expect(script).toContain('Apache License');
    for (const path of PAGE_ASSETS.filter((asset) => /d3-[\w-]+\.min\.js$/.test(asset))) {
      if (path.includes('flame')) continue;
      const name = path.slice(path.lastIndexOf('/') + 1, -'.min.js'.length);
      expect(script).toContain(`https://d3js.org/${name}/`);
    }
    expect(linkAssets(assets, false).scripts.join('\n')).not.toContain('d3js.org');
  });

  test('have names, which the error about a missing one gives', () => {
    expect(() => linkAssets({}, false)).toThrow('./page/report.css was not given');
  });
});
