import { describe, expect, test } from '@jest/globals';
import { isInside, wrapCommand } from './sandbox.js';

/** @import { Sandbox } from '../../formats/types.ts' */

/** @type {Sandbox} */
const BWRAP = { kind: 'bwrap', executable: '/usr/bin/bwrap', hiddenPaths: ['/tmp', '/home/ann'] };
/** @type {Sandbox} */
const UNSHARE = { ...BWRAP, kind: 'unshare', executable: '/usr/bin/unshare' };
const NONE = { readable: [], writable: [] };

/**
 * @param {string[]} words
 * @param {string} option
 * @returns {string[]} what follows each occurrence of it
 */
function listAfter(words, option) {
  return words.flatMap((word, index) => (word === option ? [words[index + 1] ?? ''] : []));
}

describe('with bubblewrap', () => {
  test('the command comes last, as it is', () => {
    const words = wrapCommand(['node', '--flag', 'a b', '--'], NONE, BWRAP);
    expect(words[0]).toBe('/usr/bin/bwrap');
    expect(words.slice(words.indexOf('--'))).toEqual(['--', 'node', '--flag', 'a b', '--']);
  });

  test('there is no network, no capability, and the end comes with the harness', () => {
    const words = wrapCommand(['node'], NONE, BWRAP);
    expect(words).toEqual(expect.arrayContaining(['--unshare-all', '--die-with-parent']));
    expect(words).not.toContain('--share-net');
    expect(listAfter(words, '--cap-drop')).toEqual(['ALL']);
  });

  test('the root is read-only, and only what is to be written is not', () => {
    const words = wrapCommand(['node'], { readable: [], writable: ['/work/out'] }, BWRAP);
    expect(listAfter(words, '--ro-bind')).toEqual(['/']);
    expect(listAfter(words, '--bind')).toEqual(['/work/out']);
  });
});

describe('what is hidden', () => {
  test('comes back where it must be read, outer directories first', () => {
    const readable = ['/home/ann/project/deep', '/home/ann/project', '/tmp/case', '/tmp/case'];
    const words = wrapCommand(['node'], { readable, writable: [] }, BWRAP);
    const shown = ['/', '/tmp/case', '/home/ann/project', '/home/ann/project/deep'];
    expect(listAfter(words, '--ro-bind')).toEqual(shown);
    expect(words.lastIndexOf('--tmpfs')).toBeLessThan(words.indexOf('/tmp/case'));
  });

  test.each(['/home/ann', '/home', '/', '/tmp'])(
    'stays hidden where all of %s would show',
    (path) => {
      const words = wrapCommand(['node'], { readable: [path], writable: [] }, BWRAP);
      expect(listAfter(words, '--ro-bind')).toEqual(['/']);
    },
  );

  test('is not named again where it shows anyway', () => {
    const words = wrapCommand(['node'], { readable: ['/opt/tool'], writable: [] }, BWRAP);
    expect(words).not.toContain('/opt/tool');
  });
});

describe('with unshare', () => {
  test('the script is told what to hide, to show and to let be written, then the command', () => {
    const paths = { readable: ['/tmp/case'], writable: ['/tmp/case/out'] };
    const words = wrapCommand(['node', 'hide'], paths, UNSHARE);
    expect(words[0]).toBe('/usr/bin/unshare');
    expect(words.slice(words.indexOf('hide'))).toEqual([
      ...['hide', '/tmp', 'hide', '/home/ann'],
      ...['show', '/tmp/case', 'write', '/tmp/case/out'],
      ...['--', 'node', 'hide'],
    ]);
  });

  test('there is no network, and the end comes with the harness', () => {
    const words = wrapCommand(['node'], NONE, UNSHARE);
    expect(words).toEqual(expect.arrayContaining(['--net', '--pid', '--mount', '--kill-child']));
  });
});

test.each([
  ['/a/b', '/a', true],
  ['/a', '/a', false],
  ['/ab', '/a', false],
  ['/a/..b', '/a', true],
  ['/b', '/a', false],
  ['/a', '/', true],
])('%s lies inside of %s: %s', (path, directory, expected) => {
  expect(isInside(path, directory)).toBe(expected);
});
