import type {
  JobVariant,
  PeerTrial,
  PreparedCorpus,
  Probe,
  RecorderHost,
  VerdictWord,
} from '../../../formats/types.ts';

export type Side = PeerTrial['first'];

/** One comparison that a tool is asked for. */
export interface PeerTask {
  /** Absolute path of the family's folder. */
  familyPath: string;
  operation: string;
  corpus: PreparedCorpus;
  variants: Record<Side, JobVariant>;
  /** In which the sides are given to the tool. */
  order: [Side, Side];
  /** For both sides together. */
  budgetMs: number;
  /** For a tool that takes one. */
  seed: number;
}

/** What a tool's user reads from its figures. */
export interface PeerFinding {
  said: PeerTrial['said'];
  /** Candidate over baseline. */
  ratio: number;
}

export interface PeerContext {
  host: RecorderHost;
  signal?: AbortSignal;
}

/** A benchmark tool. */
export interface Peer {
  /** As on the command line: the name of its file. */
  name: string;
  /** That is wanted, or those that will do. */
  version: string;
  /** By which its user says 'different', in words. */
  rule: string;
  /** Quick, installs nothing. */
  probe(host: RecorderHost): Promise<Probe>;
  /** Installs it where needed, and does what is done once before the first of many comparisons.
   * @throws {MachineError} when it cannot be had */
  open(task: PeerTask, context: PeerContext): Promise<OpenPeer>;
}

/** One that is ready. */
export interface OpenPeer {
  /** Exact. */
  version: string;
  /** @throws {MachineError} when the tool fails
   * @throws {FormatError} when what it says is not what its documentation tells */
  compare(task: PeerTask): Promise<PeerFinding>;
}

/** What a script of `inside/` is told, as JSON, in the file that its first argument names. */
export interface InsideTask extends Pick<
  PeerTask,
  'familyPath' | 'operation' | 'corpus' | 'variants' | 'order' | 'budgetMs'
> {
  /** URL of the module that `import` of the tool loads; none where it comes as a program. */
  toolUrl?: string;
  /** Absolute path of the file that the figures go to, as JSON. */
  outputPath: string;
}

/** The part of verdict.json that is read. */
export interface ReadVerdict {
  cells: { verdict: VerdictWord; effect: { ratio: { estimate: number } } | null }[];
}

/** What a trial is to be, before it has run. */
export interface PlannedTrial extends Pick<PeerTrial, 'tool' | 'number' | 'injected' | 'first'> {
  seed: number;
}
