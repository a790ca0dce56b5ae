import { join } from 'node:path';
import { makeTestDirectory, writeFiles } from '../testing/support/directories.js';
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
    writeFiles(path, { 'package.json': { name, ...own }, [file]: '' });
    expect(await findEntry(path)).toBe(join(path, file));
  },
);

test('an entry that does not exist is named', async () => {
  const path = join(room, 'unbuilt');
  writeFiles(path, { 'package.json': { name: 'unbuilt', main: 'dist/a.js' } });
  await expect(findEntry(path)).rejects.toThrow(`'${join(path, 'dist/a.js')}' of`);
});
