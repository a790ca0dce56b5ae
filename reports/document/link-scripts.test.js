import { describe, expect, test } from '@jest/globals';
import { linkScripts } from './link-scripts.js';

const SQUARE = {
  path: './page/square.js',
  text: 'export function square(n) {\n  return n * n;\n}\n',
};
const CUBE = {
  path: './page/cube.js',
  text: "import {\n  square,\n} from './square.js';\n\nexport const CUBED = square(2) * 2;\n",
};

describe('linked scripts', () => {
  test('run as one plain script in a scope of their own', () => {
    const script = linkScripts([SQUARE, CUBE], 'globalThis.report(CUBED);');
    /** @type {number[]} */
    const reported = [];
    new Function('globalThis', script)({ report: (/** @type {number} */ n) => reported.push(n) });
    expect(reported).toEqual([8]);
  });

  test('are refused where two declare one name, which would replace the other unseen', () => {
    const twin = { path: './page/twin.js', text: 'function square() {}\n' };
    expect(() => linkScripts([SQUARE, twin], '')).toThrow(
      './page/twin.js declares square, as ./page/square.js does',
    );
  });

  test('are refused where one needs a script that does not come before it', () => {
    expect(() => linkScripts([CUBE, SQUARE], '')).toThrow(
      './page/cube.js imports ./square.js, which is not among the scripts before it',
    );
  });

  test.each([
    "import square from './square.js';\n",
    "import { square as s } from './square.js';\n",
    "export { square } from './square.js';\n",
    'export default 1;\n',
  ])('are refused with a form that linking would break: %j', (text) => {
    expect(() => linkScripts([SQUARE, { path: './page/odd.js', text }], '')).toThrow(
      './page/odd.js has an import or export of a form that cannot be linked',
    );
  });
});
