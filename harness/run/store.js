import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { STUDIES } from '../formats/registry.js';
import { readDocument, validate } from '../formats/schemas.js';
import { FormatError, MachineError, UsageError } from '../lib/errors.js';
import { NEW_RUN, RUN, makeDirectory, makeNewDirectory, writeAtomic } from '../lib/files.js';
import { openJournal } from '../lib/journal.js';
import { PROGRAM } from '../lib/program.js';
import { RUNS } from '../lib/project.js';
import { quoteWords } from '../lib/words.js';
import { nameProfileJob } from '../profiling/plan-profiles.js';
import { nameMemoryJob } from '../stats/memory/plan.js';
import { namePlacementJob } from '../stats/placement-plan.js';
import { nameJob } from '../stats/plan.js';
import { digestContent } from '../variants/cache.js';
import { findBreak, openSeal } from './seal.js';

/** @import { JournalSeal, Manifest, SessionRecord } from '../formats/types.ts' */
/** @import { Journal } from '../lib/journal.js' */
/** @import { RunningSeal } from './seal.js' */

const MANIFEST = 'manifest.json';
const GATE = 'gate.json';
const ARTEFACTS = 'artefacts';
/** Folder of recorded profiles, relative to the directory of a run or a profile. */
const PROFILES = join(ARTEFACTS, 'profiles');
/** As `writeAtomic` names its temporary files. */
const TEMPORARY = /\.\d+\.tmp$/;
const FILE_REMEDY = 'restore the file from a copy, or measure again';

/** The journals of a run, by the kind of their lines: one per pass, its sessions, the hosts of a fleet, and the
 * files that jobs loaded. */
const JOURNALS = /** @type {const} */ ({
  observation: { file: 'observations.ndjson', list: 'observations', nameOf: nameJob },
  'memory-observation': {
    file: 'memory.ndjson',
    list: 'memoryObservations',
    nameOf: nameMemoryJob,
  },
  'profile-observation': {
    file: 'profiles.ndjson',
    list: 'profileObservations',
    nameOf: nameProfileJob,
  },
  'placement-observation': {
    file: 'placements.ndjson',
    list: 'placementObservations',
    nameOf: namePlacementJob,
  },
  session: { file: 'sessions.ndjson', list: 'sessions' },
  host: { file: 'hosts.ndjson', list: 'hosts' },
  'loaded-file': { file: 'code.ndjson', list: 'loadedFiles' },
});
const KINDS = /** @type {JournalKind[]} */ (Object.keys(JOURNALS));

/** @typedef {keyof typeof JOURNALS} JournalKind */

/** @typedef {import('../formats/types.ts').RunObservations} Observations */
/** @typedef {import('../formats/types.ts').StoredRun} StoredRun */

/**
 * Creates the directory of a new run.
 *
 * @param {string} runsPath
 * @param {string} name a number is added to it if it is taken
 * @returns {{ runId: string, path: string }}
 * @throws {import('../lib/errors.js').MachineError} when it cannot be created
 */
export function createRunDirectory(runsPath, name) {
  const remedy = 'free some space or name another directory with --out';
  const path = makeNewDirectory(runsPath, name, remedy);
  makeDirectory(join(path, ARTEFACTS), remedy);
  return { runId: basename(path), path };
}

/**
 * Writes the gate and the manifest. From here on the directory is a run, which can be resumed.
 * @param {Pick<StoredRun, 'path' | 'manifest' | 'gate'>} run
 */
export function writeManifest({ path, manifest, gate }) {
  writeAtomic(join(path, GATE), `${JSON.stringify(gate, null, 2)}\n`, NEW_RUN);
  writeAtomic(join(path, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, NEW_RUN);
}

/**
 * @template {JournalKind} K
 * @param {string} path of the run
 * @param {K} kind
 * @returns {Journal<StoredRun[(typeof JOURNALS)[K]['list']][number]>}
 */
export function journal(path, kind) {
  const { file } = JOURNALS[kind];
  return openJournal(join(path, file), {
    owner: RUN,
    remedy: FILE_REMEDY,
    validate(value, where) {
      validate(kind, value, where);
      requireOwnName(kind, value, where);
    },
    onAppend: (text) => seals.get(path)?.get(file)?.add(text),
  });
}

/** @type {(kind: JournalKind, line: any, where: string) => void} throws a FormatError for a line that is of another job than it says */
function requireOwnName(kind, line, where) {
  const of = JOURNALS[kind];
  if (!('nameOf' in of) || of.nameOf(line) === line.id) return;
  throw new FormatError(
    `${where} contradicts itself: its id is '${line.id}', and the rest is of '${of.nameOf(line)}'`,
    {
      remedy: FILE_REMEDY,
    },
  );
}

/** What this process has written to the journals of a run, by file, while a session measures it. @type {Map<string, Map<string, RunningSeal>>} */
const seals = new Map();

/** Begins to keep what is appended to the journals of a run. @type {(path: string) => void} */
export function beginSeals(path) {
  const files = Object.values(JOURNALS).map(({ file }) => file);
  seals.set(path, new Map(files.map((file) => [file, openSeal(join(path, file))])));
}

/** @type {(path: string) => Record<string, JournalSeal>} what this process has written to the journals, empty ones left out */
export function takeSeals(path) {
  const taken = [...(seals.get(path) ?? [])].map(
    ([file, seal]) => /** @type {const} */ ([file, seal.take()]),
  );
  return Object.fromEntries(taken.filter(([, { bytes }]) => bytes > 0));
}

/**
 * Ends the seals of a session.
 *
 * @param {string} path of the run
 * @throws {MachineError} when something else than this process has written to a journal meanwhile
 */
export function endSeals(path) {
  const broken = [...(seals.get(path) ?? [])].find(
    ([file, seal]) => findBreak(join(path, file), seal.take(), { mayGrow: false }) !== null,
  );
  seals.delete(path);
  if (broken === undefined) return;
  throw new MachineError(
    `'${broken[0]}' of '${path}' was changed by something else than Assay while it measured`,
    { remedy: 'a variant can do that; read its code, and measure again with --sandbox' },
  );
}

/**
 * Compares the journals with what the last session that ended had written. What a killed session has written is not
 * sealed; the next one takes it as it finds it.
 *
 * @param {string} path of the run
 * @param {SessionRecord[]} sessions
 * @throws {FormatError} when lines were changed, added or removed
 */
function requireUnbroken(path, sessions) {
  const last = sessions.findLastIndex(
    (line) => line.event === 'ended' && line.journals !== undefined,
  );
  const end = sessions[last];
  if (end?.event !== 'ended' || end.journals === undefined) return;
  const isOpen = sessions.slice(last + 1).some(({ event }) => event === 'started');
  for (const [kind, { file }] of Object.entries(JOURNALS)) {
    const seal = end.journals[file] ?? EMPTY;
    const found = findBreak(join(path, file), seal, { mayGrow: isOpen || kind === 'session' });
    if (found === null) continue;
    throw new FormatError(
      `lines of '${file}' of '${path}' were ${found} after the session that wrote them had ended`,
      { remedy: FILE_REMEDY },
    );
  }
}

/** Of a journal that has no file. @type {JournalSeal} */
const EMPTY = { bytes: 0, digest: digestContent('') };

/** @returns {Omit<StoredRun, 'path' | 'manifest' | 'gate'>} what a run has observed before its first job */
export function makeEmptyJournals() {
  return {
    sessions: [],
    hosts: [],
    loadedFiles: [],
    observations: [],
    memoryObservations: [],
    profileObservations: [],
    placementObservations: [],
  };
}

/**
 * Appends all that a run has observed to the journals of a directory.
 *
 * @param {string} path of the directory
 * @param {Omit<StoredRun, 'path' | 'manifest' | 'gate'>} observed
 */
export function writeObservations(path, observed) {
  for (const kind of KINDS) {
    const { append } = /** @type {Journal<object>} */ (journal(path, kind));
    for (const observation of observed[JOURNALS[kind].list]) append(observation);
  }
}

/**
 * Removes what a killed session was writing: partial last lines of journals, and temporary files.
 *
 * @param {string} path of the run
 */
export function removePartialWrites(path) {
  for (const kind of KINDS) journal(path, kind).truncatePartialLine();
  for (const name of readdirSync(path)) {
    if (TEMPORARY.test(name)) rmSync(join(path, name), { force: true });
  }
}

/** @type {(runsPath: string) => string[]} absolute paths of the runs in it */
export function listRuns(runsPath) {
  if (!existsSync(runsPath)) return [];
  return readdirSync(runsPath)
    .map((name) => join(runsPath, name))
    .filter((path) => existsSync(join(path, MANIFEST)));
}

/**
 * @param {string} path of the run's directory
 * @returns {Manifest}
 * @throws {UsageError} when it is not a run
 * @throws {import('../lib/errors.js').FormatError} when it is invalid or of another format version
 */
export function readManifest(path) {
  if (!existsSync(join(path, MANIFEST))) throw explainNoRun(path);
  return readDocument(join(path, MANIFEST), 'manifest', FILE_REMEDY);
}

/**
 * @param {string} path of the run's directory
 * @returns {Promise<StoredRun>}
 * @throws {UsageError} when it is not a run
 * @throws {import('../lib/errors.js').FormatError} when a file is invalid or of another format version
 */
export async function readRun(path) {
  const manifest = readManifest(path);
  const sessions = await journal(path, 'session').read();
  requireUnbroken(path, sessions);
  return {
    path,
    manifest,
    gate: readDocument(join(path, GATE), 'gate', FILE_REMEDY),
    sessions,
    hosts: await journal(path, 'host').read(),
    loadedFiles: await journal(path, 'loaded-file').read(),
    observations: await journal(path, 'observation').read(),
    memoryObservations: await journal(path, 'memory-observation').read(),
    profileObservations: await journal(path, 'profile-observation').read(),
    placementObservations: await journal(path, 'placement-observation').read(),
  };
}

/**
 * @param {string} path
 * @returns {keyof typeof STUDIES | null} the kind of study that has a record there; null if none has
 */
export function findStudy(path) {
  const names = /** @type {(keyof typeof STUDIES)[]} */ (Object.keys(STUDIES));
  return names.find((name) => existsSync(join(path, `${name}.json`))) ?? null;
}

/**
 * @param {string} path without a manifest
 * @returns {UsageError}
 */
function explainNoRun(path) {
  const study = findStudy(path);
  if (study !== null) {
    return new UsageError(`'${path}' is a ${STUDIES[study].name}, not a run of compare`, {
      remedy: `see it with: ${PROGRAM} report DIR`,
    });
  }
  if (isProfile(path)) return explainProfile(path, 'not a run of compare');
  if (existsSync(join(path, 'watch.ndjson'))) {
    return new UsageError(`'${path}' has the edits of watch, each with a run of its own`, {
      remedy: `name the run of one: ${quoteWords([path])}/NUMBER/RUN`,
    });
  }
  if (existsSync(join(path, ARTEFACTS))) {
    return new UsageError(`'${path}' was interrupted before anything was timed: no ${MANIFEST}`, {
      remedy: 'remove it, and start the comparison again',
    });
  }
  return new UsageError(`'${path}' is not a run: it has no ${MANIFEST}`, {
    remedy: `name a directory under ${RUNS}/, as printed at the end of a comparison`,
  });
}

const PROFILE_TEXT = 'profile.txt';
const PROFILE_OWNER = {
  name: 'the profile',
  resume: `record it again with: ${PROGRAM} profile VARIANT`,
};

/**
 * Keeps the text of a profile, which `just report` prints again.
 *
 * @param {string} path of the profile's directory
 * @param {string} text
 * @throws {import('../lib/errors.js').MachineError} when it cannot be written
 */
export function writeProfileText(path, text) {
  writeAtomic(join(path, PROFILE_TEXT), text, PROFILE_OWNER);
}

/**
 * @param {string} path absolute
 * @returns {boolean} whether `just profile` created this directory; a run has a manifest before it has
 *   profiles
 */
export function isProfile(path) {
  return existsSync(join(path, PROFILES)) && !existsSync(join(path, MANIFEST));
}

/**
 * @param {string} path directory of a profile
 * @returns {string} what `writeProfileText` kept
 * @throws {UsageError} when it was not kept
 */
export function readProfileText(path) {
  const file = join(path, PROFILE_TEXT);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  throw new UsageError(`'${path}' is a profile without its text, ${PROFILE_TEXT}`, {
    remedy: `its files are in '${join(path, PROFILES)}'; ${PROFILE_OWNER.resume}`,
  });
}

/**
 * @param {string} path absolute
 * @param {string} problem why it cannot be used: `has no page to open`
 * @throws {UsageError} when it is the directory of a profile
 */
export function refuseProfile(path, problem) {
  if (isProfile(path)) throw explainProfile(path, problem);
}

/** @param {string} path @param {string} problem */
function explainProfile(path, problem) {
  return new UsageError(`'${path}' is a profile, and ${problem}`, {
    remedy: `see it with: ${PROGRAM} report ${quoteWords([path])}`,
  });
}
