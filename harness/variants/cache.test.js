import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { getOrCreate } from './cache.js';
import { makeTestDirectory } from '../testing/support/directories.js';

const room = makeTestDirectory('once');

/** @param {string} text */
function fillWith(text) {
  return async (/** @type {string} */ staging) => writeFileSync(join(staging, 'file'), text);
}

test('an existing entry is not recreated', async () => {
  const home = join(room, 'a', 'home');
  await getOrCreate(home, fillWith('first'));
  await getOrCreate(home, fillWith('second'));
  expect(readFileSync(join(home, 'file'), 'utf8')).toBe('first');
});

test('a failure leaves nothing behind', async () => {
  const home = join(room, 'b', 'home');
  const fail = () => Promise.reject(new Error('broken'));
  await expect(getOrCreate(home, fail)).rejects.toThrow('broken');
  expect(readdirSync(dirname(home))).toEqual([]);
});

test('of two concurrent calls one entry is kept, and neither fails', async () => {
  const home = join(room, 'c', 'home');
  await getOrCreate(home, async (staging) => {
    await getOrCreate(home, fillWith('quicker'));
    await fillWith('slower')(staging);
  });
  expect(existsSync(home)).toBe(true);
  expect(readFileSync(join(home, 'file'), 'utf8')).toBe('quicker');
  expect(readdirSync(dirname(home))).toEqual(['home']);
});

describe('an entry whose files changed since it was made', () => {
  /** Makes an entry, changes it, and takes it again. @param {string} name @param {(home: string) => void} change */
  async function takeChanged(name, change) {
    const home = join(room, name, 'home');
    /** @type {string[]} */
    const notes = [];
    /** @type {string[][]} */
    const replaced = [];
    /** @type {Parameters<typeof getOrCreate>[1]} */
    const fill = async (staging, changed) => {
      if (changed !== null) replaced.push([...changed.files]);
      mkdirSync(join(staging, 'lib'));
      for (const file of ['lib/a.js', 'lib/b.js', 'skipped'])
        writeFileSync(join(staging, file), 'made');
      symlinkSync('lib/a.js', join(staging, 'link'));
    };
    const options = {
      onNote: (/** @type {string} */ note) => void notes.push(note),
      isVerified: (/** @type {string} */ file) => file !== 'skipped',
    };
    await getOrCreate(home, fill, options);
    change(home);
    await getOrCreate(home, fill, options);
    await getOrCreate(home, fill, options);
    return { home, notes, replaced };
  }

  test.each(
    /** @type {[string, string[], (home: string) => void][]} */ ([
      [
        'edited, with its size and its time of before',
        ['lib/b.js'],
        (home) => {
          writeFileSync(join(home, 'lib/b.js'), 'MADE');
          utimesSync(join(home, 'lib/b.js'), 1, 1);
        },
      ],
      ['added', ['lib/c.js'], (home) => writeFileSync(join(home, 'lib/c.js'), 'made')],
      ['removed', ['lib/a.js'], (home) => rmSync(join(home, 'lib/a.js'))],
      [
        'a link to another file',
        ['link'],
        (home) => {
          rmSync(join(home, 'link'));
          symlinkSync('lib/b.js', join(home, 'link'));
        },
      ],
    ]),
  )('is made again once, with a note: a file is %s', async (name, files, change) => {
    const { home, notes, replaced } = await takeChanged(name, change);
    expect(notes).toEqual([
      `'${files[0]}' of '${name}/home' in the cache changed since it was made; it is made again`,
    ]);
    expect(replaced).toEqual([files]);
    expect(readFileSync(join(home, 'lib/b.js'), 'utf8')).toBe('made');
    expect(readdirSync(dirname(home))).toEqual(['home']);
  });

  test.each(
    /** @type {[string, (home: string) => void][]} */ ([
      ['a copy of it', replaceByCopy],
      ['what is not verified', (home) => writeFileSync(join(home, 'skipped'), 'changed')],
    ]),
  )('is not made again for %s', async (name, change) => {
    expect(await takeChanged(name, change)).toMatchObject({ notes: [], replaced: [] });
  });

  test('is made again once by two that find it at once', async () => {
    const home = join(room, 'twice', 'home');
    await getOrCreate(home, fillWith('made'));
    writeFileSync(join(home, 'file'), 'changed');
    await getOrCreate(home, async (staging) => {
      await getOrCreate(home, fillWith('quicker'));
      await fillWith('slower')(staging);
    });
    expect(readFileSync(join(home, 'file'), 'utf8')).toBe('quicker');
    expect(readdirSync(dirname(home))).toEqual(['home']);
  });

  test('is made again if its list of files is damaged', async () => {
    const { notes, home } = await takeChanged('damaged', (at) =>
      writeFileSync(join(at, '.files.json'), '{'),
    );
    expect(notes).toEqual([expect.stringContaining('it is made again')]);
    expect(readFileSync(join(home, '.files.json'), 'utf8')).not.toBe('{');
  });

  test('is found from its first use on if an earlier version made it, without a list', async () => {
    const home = join(room, 'old', 'home');
    /** @type {string[]} */
    const notes = [];
    const take = () =>
      getOrCreate(home, fillWith('made'), { onNote: (note) => void notes.push(note) });
    await take();
    rmSync(join(home, '.files.json'));
    await take();
    expect(notes).toEqual([]);
    writeFileSync(join(home, 'file'), 'changed');
    await take();
    expect(notes).toEqual([expect.stringContaining("'file' of 'old/home'")]);
  });

  test('is kept if it cannot be made again', async () => {
    const home = join(room, 'kept', 'home');
    await getOrCreate(home, fillWith('made'));
    writeFileSync(join(home, 'file'), 'changed');
    const fail = () => Promise.reject(new Error('offline'));
    await expect(getOrCreate(home, fail)).rejects.toThrow('offline');
    expect(readFileSync(join(home, 'file'), 'utf8')).toBe('changed');
  });
});

/** @param {string} home */
function replaceByCopy(home) {
  cpSync(home, `${home}-copy`, { recursive: true, verbatimSymlinks: true });
  rmSync(home, { recursive: true });
  renameSync(`${home}-copy`, home);
}
