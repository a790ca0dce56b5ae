/** What commands show and do not store: progress, stored runs, corpora, set-up, simulated scenarios. */

import type { Tool } from './family.ts';
import type {
  MemoryObservation,
  Observation,
  PlacementObservation,
  ProfileObservation,
} from './observations.ts';
import type { Provenance } from './protocol.ts';
import type {
  Cell,
  Gate,
  HostRecord,
  LoadedFile,
  Manifest,
  PassName,
  Question,
  SessionRecord,
} from './run.ts';
import type { Proportion } from './calibration.ts';
import type { CellComparison, VerdictWord } from './verdict.ts';

/** Everything a run has observed, each list in the order in which its jobs ended. */
export interface RunObservations {
  /** Of timed jobs. */
  observations: Observation[];
  memoryObservations: MemoryObservation[];
  profileObservations: ProfileObservation[];
  /** Of timed jobs of placement copies. */
  placementObservations: PlacementObservation[];
}

/** The directory of a run in memory. */
export interface StoredRun extends RunObservations {
  path: string;
  manifest: Manifest;
  gate: Gate;
  /** The files that jobs loaded. */
  loadedFiles: LoadedFile[];
  /** In the order in which they began. */
  sessions: SessionRecord[];
  /** The hosts that measured it, if they are others than the one that asked. */
  hosts: HostRecord[];
}

/** What a run is doing. */
export interface Progress {
  /** What is being done: `serialize flat · look 2 of 4`. */
  step: string;
  /** Of this session. */
  secondsElapsed?: number;
  /** Until nothing is left to measure; NaN if unknown. */
  secondsLeft?: number;
  /** Whether `secondsLeft` is an upper bound instead of an estimate. */
  isUpperBound?: boolean;
  /** The passes that follow. */
  next?: PassName[];
  /** Absent if no times are compared. */
  comparison?: ComparisonProgress;
  /** The hosts of a run over several, in the order in which they joined. */
  hosts?: HostProgress[];
}

/** Shows progress. `describe` is called only if it is time to show something. `isNews` shows it at once: there are
 * verdicts, or a pass begins. */
export type ShowProgress = (describe: () => Progress, isNews?: boolean) => void;

/** What one host of a fleet is doing. */
export interface HostProgress {
  host: string;
  /** `silent`: it has a block, and was not heard for long. */
  state: 'measuring' | 'waiting' | 'silent' | 'refused';
  /** Blocks that it has answered. */
  blocks: number;
  /** Attempts at jobs that failed. */
  failed: number;
  /** Seconds since it was last heard. */
  quietSeconds: number;
  /** Why it refuses. */
  reason?: string;
}

export interface ComparisonProgress {
  question: Question;
  /** In the order of the question. */
  rows: CellProgress[];
}

export interface CellProgress {
  cell: Cell;
  state: 'waiting' | 'measuring' | 'settled' | 'failed';
  /** Started per variant so far. */
  processes: number;
  /** Position of its last job among all jobs of the run; -1 before the first. */
  lastJob: number;
  /** At the last planned look, null before the first; nothing is compared between looks. */
  comparison: CellComparison | null;
}

/** Plain objects of documents. V8 keeps one either as a shared shape and slots ("fast") or, above a number of keys that
 * depends on how it was created, as a hash table ("dictionary"). */
export interface ObjectCounts {
  /** Documents, nested documents and scopes; no arrays and no value classes. */
  total: number;
  /** Objects kept as a hash table. */
  dictionary: number;
}

/** Description of a corpus for choosing one. */
export interface CorpusRow {
  name: string;
  /** Folder of a corpus, or `imported`. */
  group: string;
  /** Other corpora of the same series, if the row represents all of them. */
  siblings: string[];
  stresses: string;
  /** `sha256:…`; empty if the documents cannot be created. */
  digest: string;
  documentCount: number;
  /** Whether the number of documents can be chosen. */
  takesCount: boolean;
  /** Of the canonical BSON. */
  sizeBytes: number;
  /** Leading documents that the following figures describe. */
  sampledDocuments: number;
  /** Fields and array items at every level of these. */
  elements: number;
  /** Levels of the deepest of these. */
  levels: number;
  /** Null if the documents cannot be created with this provenance. */
  objects: Record<Provenance, ObjectCounts | null>;
  /** The reasons for nulls, without duplicates. */
  problems: string[];
}

/** The result of setting a family up. */
export type SetUp = { name: string } & (
  | {
      outcome: 'ready';
      /** Exact versions by name; none where nothing is built. */
      toolchain: Record<string, string>;
      /** Null for what was built before. */
      buildMs: number | null;
    }
  | { outcome: 'missing'; missing: { tool: Tool; found: string | null }[] }
  | { outcome: 'failed'; message: string; remedy: string | null }
);

/** Largest shares that the promise of the decision rules allows. A scenario names only those that it tests. */
export interface SimulationLimits {
  /** Runs that are wrong. */
  wrong?: number;
  /** Cells whose final interval excludes the truth. */
  missed?: number;
  /** Cells called equivalent whose truth is at or beyond the minimum effect. */
  falselyEquivalent?: number;
  /** Cells with a true difference whose verdict is not its direction. */
  overlooked?: number;
}

/** What happened how often in a simulated scenario. */
export interface SimulationRates {
  runs: number;
  /** Of runs or of cells, as `SimulationLimits` says. */
  shares: Record<keyof SimulationLimits, Proportion>;
  /** Shares of cells. */
  verdicts: Record<VerdictWord, number>;
  /** Mean per variant. */
  processes: number;
  /** By processes per variant at which cells stopped, ascending: how many, and the mean error of their estimates on the
   * log scale. */
  stops: { processes: number; cells: number; bias: number }[];
}

/** A scenario and what happened in it. */
export interface SimulatedScenario {
  group: string;
  name: string;
  limits: SimulationLimits;
  rates: SimulationRates;
}

/** The cells of a simulated branch: builds of some differ by up to 5 %, with busy hours; or by half a per cent, without. */
export type YearHost = 'differing' | 'calm';

/** A part of simulated years of a followed branch. */
export interface YearPart {
  /** Merges that change nothing; series of their points; merges that make cells slower, alone or among others. */
  kind: 'unchanged' | 'series' | 'changed' | 'delay';
  host: YearHost;
  cells: number;
  /** Merges or series. */
  count: number;
  /** Of a series. */
  points?: number;
  /** By which cells get slower, a share. */
  size?: number;
  /** Cells that get slower. */
  changed?: number;
  /** Of confirmations. */
  levels?: number[];
  mergesPerNight?: number;
}

/** What happened in such a part. */
export interface YearResult {
  /** Cells that its comparison suspects, by merge. */
  suspected?: number[];
  /** Confirmations, by merge. */
  confirmations?: number[];
  /** Alerts although nothing has changed, at some levels of confirmations. */
  levels?: { level: number; confirmations: number; alerts: number }[];
  /** Merges whose change was an alert before the next one, and after a night. */
  found?: { level: number; atMerge: number; byNight: number }[];
  /** Merges until a change was an alert, 0 at its own; null where it was none. */
  delays?: (number | null)[];
}

/** Parts that were simulated, with the same seed. */
export interface SimulatedYears {
  seed: number;
  runs: number;
  parts: { part: YearPart; result: YearResult }[];
}
