import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeTestDirectory, writeFiles } from '../../testing/support/directories.js';
import { openSources } from './open-sources.js';
import { encodeMap } from './test-support/encode-map.js';

const room = makeTestDirectory('sources');
let count = 0;

/**
 * @param {Record<string, string | object>} files of a package, by name
 * @param {Parameters<typeof openSources>[1]} [edits] without their root
 */
function open(files, edits = null) {
  const root = join(room, String((count += 1)));
  writeFiles(root, { 'package.json': { name: '@x/codec' }, ...files });
  const variant = { spec: `path:${root}`, modulePath: join(root, 'index.js'), settings: {} };
  const job = { variant, familyPath: join(room, 'family') };
  const { describe: describePlace, describeLines } = openSources(
    job,
    edits === null ? null : { ...edits, root },
  );
  const urlOf = (/** @type {string} */ name) => pathToFileURL(join(root, name)).href;
  return {
    /** @type {(name: string, line: number, column: number, file?: string) => ReturnType<typeof describePlace>} */
    see: (name, line, column, file = 'dist/index.js') =>
      describePlace({ name, url: urlOf(file), line, column }),
    /** @type {(line: number, column: number, ticks: number[]) => [number, string][]} */
    listLines: (line, column, ticks) =>
      describeLines(
        { name: '', url: urlOf('dist/index.js'), line, column },
        ticks.map((at) => ({ line: at, ticks: 1 })),
      ).map((found) => [found.line, found.text]),
    urlOf,
  };
}

const WRITE_TS = `interface Writer {
  out: string;
}

export function write(writer: Writer): void {
  writer.out += 'a';
  writer.out += 'b';
}
`;
const WRITE_JS = `export function write(writer) {
    writer.out += 'a';
    writer.out += 'b';
}
//# sourceMappingURL=index.js.map
`;
/** As tsc writes it. */
const WRITE_MAP = encodeMap({ sources: ['../src/write.ts'] }, [
  [
    { column: 1, from: [0, 5, 1] },
    { column: 17, from: [0, 5, 17] },
    { column: 23, from: [0, 5, 23] },
  ],
  [{ column: 5, from: [0, 6, 3] }],
  [{ column: 5, from: [0, 7, 3] }],
  [{ column: 1, from: [0, 8, 1] }],
]);
const COMPILED = {
  'src/write.ts': WRITE_TS,
  'dist/index.js': WRITE_JS,
  'dist/index.js.map': WRITE_MAP,
};

describe('a place', () => {
  test('of a compiled file is that in its source, with the package', () => {
    const { see, urlOf } = open(COMPILED);
    expect(see('write', 1, 22)).toEqual({
      name: 'write',
      url: urlOf('src/write.ts'),
      file: '@x/codec/src/write.ts',
      line: 5,
      column: 17,
    });
    expect(see('', 3, 12)).toMatchObject({ file: '@x/codec/src/write.ts', line: 7 });
  });

  test.each([
    ['there is no map', { 'dist/index.js.map': '' }],
    ['the map is broken', { 'dist/index.js.map': '{ "version": 3, "mappings": 3 }' }],
    [
      'the map is not in a file',
      { 'dist/index.js': WRITE_JS.replace('index.js.map', 'http://x/') },
    ],
    ['no file is named', { 'dist/index.js': WRITE_JS.replace(/\/\/#.*/, '') }],
  ])('is that in the generated file if %s', (_, files) => {
    const { see } = open({ ...COMPILED, ...files });
    expect(see('write', 1, 22)).toMatchObject({ file: '@x/codec/dist/index.js', line: 1 });
  });

  test('of code that comes from nowhere is that in the generated file', () => {
    const map = encodeMap({ sources: ['../src/write.ts'] }, [[{ column: 1 }], [], []]);
    const { see } = open({ ...COMPILED, 'dist/index.js.map': map });
    expect(see('write', 1, 22)).toMatchObject({ file: '@x/codec/dist/index.js', line: 1 });
    expect(see('', 2, 5)).toMatchObject({ file: '@x/codec/dist/index.js', line: 2 });
  });

  test('is found with the map in the file, its root, its sections and the sources that it contains', () => {
    const part = encodeMap(
      { sources: ['write.ts'], sourceRoot: '../gone', sourcesContent: [WRITE_TS] },
      [[{ column: 1, from: [0, 5, 1] }], [{ column: 5, from: [0, 6, 3] }]],
    );
    const map = { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: part }] };
    const data = Buffer.from(JSON.stringify(map)).toString('base64');
    const comment = `//# sourceMappingURL=data:application/json;charset=utf-8;base64,${data}`;
    const { see, listLines } = open({
      'dist/index.js': WRITE_JS.replace(/\/\/#.*/, comment),
      'gone/write.ts': WRITE_TS.replaceAll('writer', 'changed since the build'),
    });
    expect(see('write', 1, 22)).toMatchObject({ file: '@x/codec/gone/write.ts', line: 5 });
    expect(listLines(1, 22, [2])).toEqual([[6, "  writer.out += 'a';"]]);
  });

  test('of a bundle of compiled files is that in the source of these', () => {
    const bundle = encodeMap({ sources: ['../lib/write.js'] }, [
      [],
      [{ column: 1, from: [0, 1, 1] }],
      [{ column: 5, from: [0, 2, 5] }],
    ]);
    const { see } = open({
      'src/write.ts': WRITE_TS,
      'lib/write.js': WRITE_JS,
      'lib/index.js.map': WRITE_MAP,
      'dist/index.js': `// bundled\n${WRITE_JS}`,
      'dist/index.js.map': bundle,
    });
    expect(see('write', 2, 22)).toMatchObject({ file: '@x/codec/src/write.ts', line: 5 });
  });

  test.each([
    ['../node_modules/long/src/long.ts', 'long/src/long.ts'],
    ['../node_modules/@y/long/index.js', '@y/long/index.js'],
    ['webpack://codec/./src/long.ts', 'codec/src/long.ts'],
    ['../packages/core/src/long.ts', '@x/core/src/long.ts'],
    ['../inner/long.ts', '@x/codec/inner/long.ts'],
  ])('in the bundled source %s is named %s', (source, expected) => {
    const { see } = open({
      ...COMPILED,
      'packages/core/package.json': { name: '@x/core' },
      'inner/package.json': { type: 'commonjs' },
      'dist/index.js.map': encodeMap({ sources: [source] }, [[{ column: 1, from: [0, 5, 1] }]]),
    });
    expect(see('write', 1, 22)).toMatchObject({ file: expected, line: 5 });
  });

  test('of the code of a whole script, and of a file that is not there, is kept', () => {
    const { see } = open(COMPILED);
    expect(see('', 1, 1)).toMatchObject({ file: '@x/codec/dist/index.js', line: 1 });
    expect(see('x', 3, 1, 'gone.js')).toMatchObject({ file: '@x/codec/gone.js', line: 3 });
  });
});

describe('the name of a function', () => {
  const source = 'export const parseText = (text: string) => text;\nfunction format() {}\n';
  /** @type {(names?: string[]) => Record<string, string | object>} */
  const minify = (names = []) => ({
    'src/a.ts': source,
    'dist/index.js':
      'const a=e=>e;function b(){}export{a as p};\n//# sourceMappingURL=index.js.map',
    'dist/index.js.map': encodeMap({ sources: ['../src/a.ts'], names }, [
      [
        { column: 7, from: names.length === 0 ? [0, 1, 14] : [0, 1, 14, 0] },
        { column: 9, from: [0, 1, 26] },
        { column: 23, from: [0, 2, 10] },
        { column: 24, from: [0, 2, 16] },
      ],
    ]),
  });

  test('is that in the source of a minified file', () => {
    const { see } = open(minify());
    expect(see('a', 1, 9)).toMatchObject({ name: 'parseText', line: 1 });
    expect(see('b', 1, 24)).toMatchObject({ name: 'format', line: 2 });
    expect(see('Codec.b', 1, 24).name).toBe('Codec.format');
    expect(see('', 1, 9).name).toBe('');
  });

  test('is that of the map, if it has names', () => {
    expect(open(minify(['named'])).see('a', 1, 9).name).toBe('named');
  });

  test('has no number of a bundler', () => {
    const bundled = WRITE_JS.replace('write(', 'write$1(');
    const { see } = open({
      ...COMPILED,
      'dist/index.js': bundled,
      'dist/index.js.map': encodeMap({ sources: ['../src/write.ts'] }, [
        [{ column: 1, from: [0, 5, 1] }],
      ]),
    });
    expect(see('write$1', 1, 24)).toMatchObject({ name: 'write', line: 5 });
  });
});

describe('lines', () => {
  test('of a function are those of its source', () => {
    const { listLines } = open(COMPILED);
    expect(listLines(1, 22, [2, 3])).toEqual([
      [6, "  writer.out += 'a';"],
      [7, "  writer.out += 'b';"],
    ]);
  });

  test('of other functions, which V8 inlined, are left out', () => {
    const { listLines } = open({
      'dist/index.js': 'function one() {}\nfunction two() {\n  one();\n}\nfunction three() {}\n',
    });
    expect(listLines(2, 13, [1, 3, 5])).toEqual([[3, '  one();']]);
  });

  test('of a file that runs without being compiled end where its function ends', () => {
    const { see } = open({ 'dist/index.js': '' });
    expect(see('x', 1, 1).line).toBe(1);
    const { listLines } = open({ 'dist/index.js': WRITE_TS });
    expect(listLines(5, 22, [2, 6, 8, 9])).toEqual([
      [6, "  writer.out += 'a';"],
      [8, '}'],
    ]);
  });

  test('that come from many lines say nothing', () => {
    const map = encodeMap({ sources: ['../src/a.ts'] }, [
      [
        { column: 1, from: [0, 1, 1] },
        { column: 15, from: [0, 90, 1] },
      ],
    ]);
    const { listLines } = open({
      'src/a.ts': 'a\n'.repeat(100),
      'dist/index.js': 'function a(){b();c()}\n//# sourceMappingURL=index.js.map',
      'dist/index.js.map': map,
    });
    expect(listLines(1, 11, [1])).toEqual([]);
  });

  test('of files that a source map names elsewhere are not read', () => {
    writeFileSync(join(room, 'secret.ts'), 'secret\n'.repeat(9));
    writeFileSync(join(room, 'secret.txt'), 'secret\n'.repeat(9));
    for (const source of ['../../secret.ts', '../../secret.txt', '../notes.txt']) {
      const { listLines } = open({
        ...COMPILED,
        'notes.txt': 'secret\n'.repeat(9),
        'dist/index.js.map': encodeMap({ sources: [source] }, [
          [{ column: 1, from: [0, 5, 1] }],
          [{ column: 5, from: [0, 6, 3] }],
        ]),
      });
      expect(listLines(1, 22, [2])).toEqual([]);
    }
  });
});

describe('a function', () => {
  const editsOf = (/** @type {number} */ from, to = from, file = 'src/write.ts') => ({
    root: '',
    files: new Map([[file, [{ from, to }]]]),
  });

  test.each([
    [5, 5, true],
    [8, 8, true],
    [1, 9, true],
    [5.5, 5.5, true],
    [4.5, 4.5, false],
    [8.5, 8.5, false],
    [1, 4, false],
  ])('with edited lines from %d to %d is edited: %s', (from, to, edited) => {
    expect(open(COMPILED, editsOf(from, to)).see('write', 1, 22)).toMatchObject({ edited });
  });

  test('of a file that was not edited is not; of one that is not of the repository, it is unknown', () => {
    const { see } = open(
      { ...COMPILED, 'node_modules/long/index.js': 'function a() {}' },
      editsOf(1, 9, 'src/read.ts'),
    );
    expect(see('write', 1, 22).edited).toBe(false);
    expect(see('a', 1, 11, 'node_modules/long/index.js')).not.toHaveProperty('edited');
    expect(open(COMPILED).see('write', 1, 22)).not.toHaveProperty('edited');
  });
});
