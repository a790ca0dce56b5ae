import type {
  JobVariant,
  PeerTrial,
  PreparedCorpus,
  Probe,
  RecorderHost,
  VerdictWord,
} from '../../../formats/types.ts';

export type PeerArm = PeerTrial['first'];

/** One comparison for a tool. */
export interface PeerTask {
  /** Absolute path of the family's folder. */
  familyPath: string;
  operation: string;
  corpus: PreparedCorpus;
  variants: Record<PeerArm, JobVariant>;
  /** Order in which the arms are given to the tool. */
  order: [PeerArm, PeerArm];
  /** For both arms together. */
  budgetMs: number;
  /** For tools that use one. */
  seed: number;
}

/** What a user of the tool concludes from its output. */
export interface PeerFinding {
  conclusion: PeerTrial['conclusion'];
  /** Candidate over baseline. */
  ratio: number;
}

export interface PeerContext {
  host: RecorderHost;
  signal?: AbortSignal;
}

/** A benchmark tool. */
export interface Peer {
  /** Name on the command line and of its file. */
  name: string;
  /** Required version, or range of versions. */
  version: string;
  /** When its user sees a difference, in words. */
  rule: string;
  /** Fast; installs nothing. */
  probe(host: RecorderHost): Promise<Probe>;
  /** Installs it if needed, and prepares it for many comparisons.
   * @throws {MachineError} when it is not available */
  open(task: PeerTask, context: PeerContext): Promise<OpenPeer>;
}

/** A tool that is ready. */
export interface OpenPeer {
  /** Exact. */
  version: string;
  /** @throws {MachineError} when the tool fails
   * @throws {FormatError} when its output is not as documented */
  compare(task: PeerTask): Promise<PeerFinding>;
}

/** Task of a script of `inside/`, as JSON in the file that its first argument names. */
export interface InsideTask extends Pick<
  PeerTask,
  'familyPath' | 'operation' | 'corpus' | 'variants' | 'order' | 'budgetMs'
> {
  /** URL of the tool's module; absent for a program. */
  toolUrl?: string;
  /** Absolute path of the output, as JSON. */
  outputPath: string;
}

/** The part of verdict.json that is used. */
export interface ReadVerdict {
  cells: { verdict: VerdictWord; effect: { ratio: { estimate: number } } | null }[];
}

/** A trial that has not run yet. */
export interface PlannedTrial extends Pick<PeerTrial, 'tool' | 'number' | 'injected' | 'first'> {
  seed: number;
}
