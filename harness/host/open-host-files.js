import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The files in which Linux tells of itself. Where one is missing, unreadable or on another system,
 * the host does not tell.
 *
 * @typedef {object} HostFiles
 * @property {(path: string) => string | null} readText trimmed
 * @property {(path: string) => number | null} readNumber null also where there is no number
 * @property {(path: string) => boolean | null} readFlag whether it is anything but 0
 * @property {(path: string) => string[]} listNames what a directory holds; nothing where there is none
 */

/**
 * @param {string} [rootPath] of the file system; tests bring a made-up one
 * @returns {HostFiles} paths are absolute within the root
 */
export function openHostFiles(rootPath = '/') {
  /** @param {string} path */
  function readText(path) {
    try {
      return readFileSync(join(rootPath, path), 'utf8').trim();
    } catch {
      return null;
    }
  }

  /** @param {string} path */
  function readNumber(path) {
    const text = readText(path);
    const number = Number(text);
    return text === null || text === '' || Number.isNaN(number) ? null : number;
  }

  return {
    readText,
    readNumber,
    readFlag(path) {
      const text = readText(path);
      return text === null ? null : text !== '0';
    },
    listNames(path) {
      try {
        return readdirSync(join(rootPath, path));
      } catch {
        return [];
      }
    },
  };
}
