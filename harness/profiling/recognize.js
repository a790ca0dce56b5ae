/** What a file with a profile is, by its content. */

import { isUtf8 } from 'node:buffer';
import { FormatError, UsageError } from '../lib/errors.js';
import { parseJson } from '../lib/files.js';
import { countOf, formatSize } from '../lib/numbers.js';
import { PACKED_FORMATS, unpackGzip } from '../lib/packed.js';
import { PROGRAM } from '../lib/program.js';
import { openChromeTrace } from './formats/chrome-trace.js';
import { importFolded, isFoldedLine } from './formats/folded.js';
import { importAnyPerfScript, isPerfScript } from './formats/perf.js';
import { openSpeedscope } from './formats/speedscope.js';
import { importCpuProfile, importHeapProfile } from './formats/v8-profiles.js';

/** @import { Profile } from '../formats/profile-types.ts' */
/** @import { Remarks } from './formats/remarks.js' */
/** @import { FoundProfile } from './formats/speedscope.js' */

const READ =
  'Profiles are .cpuprofile, .heapprofile, speedscope, traces of Chrome, folded stacks or the output of perf script, also under gzip.';

/** The longest text that V8 can hold is 512 MiB. */
export const MAX_PROFILE_BYTES = 500_000_000;

/**
 * Lists the profiles of a file of any format.
 *
 * @param {Buffer} content
 * @param {object} origin
 * @param {string} origin.source for messages
 * @param {string} origin.file as a shell needs it, in commands that convert the file
 * @param {string} origin.projectPath absolute; file names are relative to it
 * @param {Remarks} origin.remarks
 * @returns {{ profiles: FoundProfile[], active: number }} at least one; `active`: index of the one to begin with
 * @throws {FormatError} when the format is not one that is read
 * @throws {UsageError} when the content is too large
 */
export function recognizeProfiles(content, { source, file, projectPath, remarks }) {
  const text = decodeText(unpack(content, source), { source, file, remarks });
  if (text.trim() === '') throw new FormatError(`${source} is empty`, { remedy: READ });
  const json = readJson(text, source);
  if (json !== undefined) return recognizeJson(json, { source, projectPath, remarks });
  if (isPerfScript(text)) {
    const found = importAnyPerfScript(text, projectPath, remarks);
    return listRead(found.map(({ name, profile }) => [name, profile]));
  }
  if (!text.split('\n').some(isFoldedLine)) throw refuse(source, 'is no profile that can be read');
  const stacks = importFolded(text, remarks);
  if (stacks.length === 1) return listRead([['stacks', stacks[0]]]);
  return listRead(stacks.map((profile, index) => [`weight ${index + 1}`, profile]));
}

/** @type {(profiles: [name: string, profile: Profile][]) => { profiles: FoundProfile[], active: number }} */
function listRead(profiles) {
  return {
    profiles: profiles.map(([name, profile]) => ({ name, read: () => profile })),
    active: 0,
  };
}

/** @param {string} source @param {string} what @param {string} [remedy] */
function refuse(source, what, remedy = READ) {
  return new FormatError(`${source} ${what}`, { remedy });
}

/** @param {Buffer} content @param {string} source */
function unpack(content, source) {
  const refuseLarge = () =>
    new UsageError(`${source} has more than ${formatSize(MAX_PROFILE_BYTES)}, unpacked`, {
      remedy: 'record for a shorter time, or with fewer samples',
    });
  const unpacked = unpackGzip(content, { source, maxBytes: MAX_PROFILE_BYTES, refuseLarge });
  if (unpacked.length > MAX_PROFILE_BYTES) throw refuseLarge();
  return unpacked;
}

/**
 * Formats that are not read, by their first bytes in hexadecimal, and the command that makes text of them.
 * @type {{ what: string, bytes: RegExp, command: string }[]}
 */
const OTHER_FORMATS = [
  ...PACKED_FORMATS,
  { what: 'UTF-16', bytes: /^(?:(?!00)..00){2}/, command: 'iconv -f UTF-16LE -t UTF-8' },
  { what: 'UTF-16', bytes: /^(?:00(?!00)..){2}/, command: 'iconv -f UTF-16BE -t UTF-8' },
  {
    what: 'a recording of perf',
    bytes: /^(?:50455246494c4532|32454c4946524550)/,
    command: 'perf script -i',
  },
];

/** @type {(content: Buffer, origin: { source: string, file: string, remarks: Remarks }) => string} */
function decodeText(content, { source, file, remarks }) {
  const hex = content.toString('hex', 0, 8);
  const other = OTHER_FORMATS.find(({ bytes }) => bytes.test(hex));
  if (other !== undefined) {
    const { what, command } = other;
    throw refuse(source, `is ${what}`, `convert it: ${command} ${file} | ${PROGRAM} convert -`);
  }
  if (content.includes(0))
    throw refuse(source, 'is not text; pprof and other binary formats are not read');
  const text = content.toString('utf8');
  if (!isUtf8(content)) {
    const replaced = text.split('\ufffd').length - 1;
    remarks.add(
      `${countOf(replaced, 'character is', 'characters are')} not UTF-8 and read as \ufffd`,
    );
  }
  return text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
}

/**
 * @param {string} text
 * @param {string} source
 * @returns {unknown} undefined if it is no JSON; folded stacks may begin with `{main}` or `[unknown]`, too
 */
function readJson(text, source) {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return parseJson(text, source, READ);
  } catch (error) {
    const line = text.trimStart().split('\n', 1)[0];
    if (isFoldedLine(line) || isPerfScript(text)) return undefined;
    throw error;
  }
}

/**
 * @param {unknown} json
 * @param {{ source: string, projectPath: string, remarks: Remarks }} origin
 * @returns {{ profiles: FoundProfile[], active: number }}
 */
function recognizeJson(json, { source, projectPath, remarks }) {
  const value = /** @type {Record<string, any>} */ (Object(json));
  if ('traceEvents' in value || Array.isArray(json)) {
    return openChromeTrace(json, { source, projectPath, remarks });
  }
  if ('snapshot' in value) {
    const remedy = `record with node --heap-prof, which writes a .heapprofile. ${READ}`;
    throw refuse(source, 'is a heap snapshot, which has no stacks', remedy);
  }
  if ('shared' in value || 'profiles' in value) return openSpeedscope(value, remarks);
  const isTree = 'head' in value;
  if (isTree && Object(value.head).functionName === undefined) {
    return {
      profiles: [{ name: 'heap', read: () => importHeapProfile(json, projectPath) }],
      active: 0,
    };
  }
  if (isTree || 'nodes' in value) {
    const read = () => importCpuProfile(json, projectPath, remarks);
    return { profiles: [{ name: 'cpu', read }], active: 0 };
  }
  throw refuse(source, 'is JSON of another kind');
}
