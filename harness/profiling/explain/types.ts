/** Types shared by the modules of the explanation. */

import type { Frame, Profile } from '../../formats/profile-types.ts';
import type {
  CellComparison,
  CellExplanation,
  DeoptLog,
  Exercise,
  Interval,
  PartChange,
  RecordedFigures,
  ValueForms,
} from '../../formats/types.ts';

export type ComparedArm = 'baseline' | 'candidate';

/** What was recorded of one cell in both arms; empty arrays and null if nothing was. */
export interface CellEvidence {
  cell: CellComparison;
  /** Whether its functions were to be profiled; otherwise it has results of requested recorders only. */
  isProfiled: boolean;
  /** Names of the measured loop in a family's own program; null for the JavaScript worker. */
  loop: string[] | null;
  /** npm packages that the operation uses. */
  packages: string[];
  /** Mean of the timed jobs. */
  timedNs: Record<ComparedArm, number | null>;
  /** One profile per process: the measured loop alone, native frames collapsed, recorded nanoseconds per
   * document. */
  stacks: Record<'perf' | 'v8-cpu-profile', Record<ComparedArm, Profile[]>>;
  /** One profile per process, bytes per document. */
  allocations: Record<ComparedArm, Profile[]>;
  /** Windows in which collections were counted. */
  collections: Record<ComparedArm, Pick<Exercise, 'documents' | 'wallMs' | 'collections'>[]>;
  deopts: Record<ComparedArm, DeoptLog | null>;
  values: Record<ComparedArm, ValueForms | null>;
  figures: {
    instructions: Record<ComparedArm, FiguresOf<'instructions'> | null>;
    wholeProcess: Record<ComparedArm, FiguresOf<'whole-process'> | null>;
  };
  artefacts: CellExplanation['artefacts'];
  /** Unavailable recorders with the reason. */
  missing: { recorder: string; reason: string }[];
  /** Failed jobs of recorders. */
  failures: { recorder: string; arm: ComparedArm; detail: string }[];
}

/** Recorded figures of one kind. */
type FiguresOf<Kind extends RecordedFigures['kind']> = Extract<RecordedFigures, { kind: Kind }>;

/** Value of one process with its sampling error. */
export interface Sample {
  value: number;
  /** Variance due to the finite number of samples. */
  samplingVariance: number;
}

/** One function in one arm, with a sample per process. */
export interface FunctionSamples {
  self: Sample[];
  total: Sample[];
}

/** One function in both arms; null if an arm never runs it. */
export interface PairedFunction {
  frame: Frame;
  baseline: (FunctionSamples & { frame: Frame }) | null;
  candidate: (FunctionSamples & { frame: Frame }) | null;
}

/** Both arms by function, each process scaled to the timed mean. */
export interface ScaledArms extends Pick<CellEvidence, 'loop'> {
  source: 'perf' | 'v8-cpu-profile';
  processes: Record<ComparedArm, number>;
  /** Recorded nanoseconds per document of each process. */
  rawNs: Record<ComparedArm, number[]>;
  /** Nanoseconds per document that the processes are scaled to. */
  levelNs: Record<ComparedArm, number>;
  /** Half-width of the interval of the timed ratio, as a share of the candidate. */
  timingError: number;
  functions: PairedFunction[];
  /** Empty where a profile is of a loop. */
  parts: PartChange[];
}

/** Functions under one heading. */
export interface Heading {
  /** In sentences. */
  label: string;
  /** `own`: functions of files that one arm runs; `builtins`: a heading over builtins. */
  kind: 'gc' | 'own' | 'loop' | 'function' | 'builtins' | 'rest';
  members: PairedFunction[];
  /** The members that name the cause: for `own`, those whose file only one arm runs. */
  named: PairedFunction[];
}

/** A cause with its functions. */
export interface CauseGroup extends Heading {
  /** In tables; may include names of functions. */
  name: string;
  change: Interval;
  selfNs: Record<ComparedArm, number>;
}
