import { SourceMap } from 'node:module';

/** @typedef {import('node:module').SourceMapPayload & { sections?: { map: import('node:module').SourceMapPayload }[] }} Payload */

/**
 * A place in the source that a file was generated from; line and column from 1.
 *
 * @typedef {object} Original
 * @property {string} url of the source, absolute
 * @property {number} line
 * @property {number} column
 * @property {string | null} name as in the map; null if that has none
 * @property {number} generatedColumn where the mapped piece of the generated line begins, from 1
 */

/**
 * The source map of a generated file.
 *
 * @typedef {object} Mapping
 * @property {(line: number, column: number) => Original | null} find null for code that comes from no source
 * @property {(url: string) => string | undefined} textOf a source that the map contains
 */

/** The last one counts, as in browsers. */
const COMMENT = /^\s*\/[/*][#@]\s*sourceMappingURL=([^\s*]+)/gm;
const DATA = /^data:application\/json[^,]*?(;base64)?,(.*)$/s;

/**
 * Reads the source map that a file names. A map that is missing or broken counts as none, since without it places are those
 * in the generated file, which are right, too.
 *
 * @param {string} url of the generated file, or its absolute path
 * @param {string} text of the generated file
 * @param {(url: URL) => string | null} readFile reads a map beside the file
 * @returns {Mapping | null}
 */
export function openSourceMap(url, text, readFile) {
  const [, comment] = [...text.matchAll(COMMENT)].at(-1) ?? [];
  if (comment === undefined) return null;
  try {
    const [, encoding, data] = DATA.exec(comment) ?? [];
    const generated = new URL(url, 'file:///');
    const base = data === undefined ? new URL(comment, generated) : generated;
    const json = data === undefined ? readFile(base) : decode(data, encoding !== undefined);
    return json === null ? null : makeMapping(JSON.parse(json.replace(/^\)\]\}'/, '')), base);
  } catch {
    return null;
  }
}

/** @param {string} data of a URL @param {boolean} isBase64 */
function decode(data, isBase64) {
  return isBase64 ? Buffer.from(data, 'base64').toString('utf8') : decodeURIComponent(data);
}

/** @type {(payload: Payload, base: URL) => Mapping} */
function makeMapping(payload, base) {
  /** @type {Map<string, string>} */
  const texts = new Map();
  for (const part of payload.sections?.map(({ map }) => map) ?? [payload]) {
    resolveSources(part, base, texts);
  }
  const map = new SourceMap(payload);
  return {
    find(line, column) {
      const entry =
        /** @type {Partial<import('node:module').SourceMapping> & { name?: string }} */ (
          map.findEntry(line - 1, column - 1)
        );
      // Without a piece of its own, a line would have that of a line before.
      if (entry.generatedLine !== line - 1 || entry.originalSource == null) return null;
      return {
        url: entry.originalSource,
        line: Number(entry.originalLine) + 1,
        column: Number(entry.originalColumn) + 1,
        name: entry.name ?? null,
        generatedColumn: Number(entry.generatedColumn) + 1,
      };
    },
    textOf: (url) => texts.get(url),
  };
}

/**
 * Makes the names of the sources absolute, and keeps the sources that the map contains.
 * @type {(part: import('node:module').SourceMapPayload, base: URL, texts: Map<string, string>) => void}
 */
function resolveSources(part, base, texts) {
  const { sources } = part;
  // Tools write null, too.
  const sourcesContent = part.sourcesContent ?? [];
  const sourceRoot = part.sourceRoot ?? '';
  const root = sourceRoot === '' || sourceRoot.endsWith('/') ? sourceRoot : `${sourceRoot}/`;
  part.sources = sources.map((source, index) => {
    const { href } = new URL(`${root}${source}`, base);
    const text = sourcesContent[index];
    if (typeof text === 'string') texts.set(href, text);
    return href;
  });
}
