import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeTestDirectory } from '../testing/support/directories.js';
import { findEntry } from './package-entry.js';

const room = makeTestDirectory('entry');

test.each([
  ['named', { main: 'lib/a.js' }, 'lib/a.js'],
  ['without-ending', { main: './lib/a' }, 'lib/a.js'],
  ['directory', { main: 'lib' }, 'lib/index.js'],
  ['wrong', { main: 'lib/absent.js' }, 'index.js'],
  ['nothing', {}, 'index.js'],
])(
  'the entry of a package is the file that Node takes for its main (%s)',
  async (name, own, file) => {
    const path = join(room, name);
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, 'package.json'), JSON.stringify({ name, ...own }));
    writeFileSync(join(path, file), '');
    expect(await findEntry(path)).toBe(join(path, file));
  },
);

test('an entry that does not exist is named', async () => {
  const path = join(room, 'unbuilt');
  mkdirSync(path);
  writeFileSync(join(path, 'package.json'), '{ "name": "unbuilt", "main": "dist/a.js" }');
  await expect(findEntry(path)).rejects.toThrow(`'${join(path, 'dist/a.js')}' of`);
});
