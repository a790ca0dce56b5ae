/** The shapes inside the explanation: what it starts from, and what its parts hand on. Interfaces only. */

import type { Frame, Profile } from '../../formats/profile-types.ts';
import type {
  CellComparison,
  CellExplanation,
  DeoptLog,
  Exercise,
  Interval,
  RecordedFigures,
  ValueForms,
} from '../../formats/types.ts';

export type ComparedArm = 'baseline' | 'candidate';

/** All that is known of one cell once both arms were profiled. Where nothing was recorded: empty
 * arrays and null. */
export interface CellEvidence {
  cell: CellComparison;
  /** Whether profiles of its functions were asked for; else it has only what named recorders left. */
  isProfiled: boolean;
  /** Names of the measured loop, where a program of the family's own measures; null where V8 runs. */
  loop: string[] | null;
  /** Of the timed jobs. */
  timedNs: Record<ComparedArm, number | null>;
  /** One profile a process, of the measured loop alone, native frames collapsed, nanoseconds per
   * document as recorded. */
  stacks: Record<'perf' | 'v8-cpu-profile', Record<ComparedArm, Profile[]>>;
  /** One profile a process, bytes per document. */
  allocations: Record<ComparedArm, Profile[]>;
  /** Windows in which collections were counted, undisturbed by the recorder. */
  collections: Record<ComparedArm, Pick<Exercise, 'documents' | 'wallMs' | 'collections'>[]>;
  deopts: Record<ComparedArm, DeoptLog | null>;
  values: Record<ComparedArm, ValueForms | null>;
  figures: {
    instructions: Record<ComparedArm, FiguresOf<'instructions'> | null>;
    wholeProcess: Record<ComparedArm, FiguresOf<'whole-process'> | null>;
  };
  artefacts: CellExplanation['artefacts'];
  /** Recorders that were wanted and are not there, with the reason. */
  missing: { recorder: string; reason: string }[];
  /** Jobs of recorders that brought nothing. */
  failures: { recorder: string; arm: ComparedArm; detail: string }[];
}

/** Recorded figures of one kind. */
type FiguresOf<Kind extends RecordedFigures['kind']> = Extract<RecordedFigures, { kind: Kind }>;

/** One figure a process, and what sampling alone leaves uncertain in it. */
export interface Sample {
  value: number;
  /** Variance from the finite number of samples. */
  samplingVariance: number;
}

/** One function on one arm, a figure a process. */
export interface FunctionSamples {
  self: Sample[];
  total: Sample[];
}

/** One function as both arms run it; null where an arm never does. */
export interface PairedFunction {
  frame: Frame;
  baseline: (FunctionSamples & { frame: Frame }) | null;
  candidate: (FunctionSamples & { frame: Frame }) | null;
}

/** Both arms by function, every process scaled to what was timed. */
export interface ScaledArms extends Pick<CellEvidence, 'loop'> {
  source: 'perf' | 'v8-cpu-profile';
  processes: Record<ComparedArm, number>;
  /** Nanoseconds per document of each process as recorded. */
  rawNs: Record<ComparedArm, number[]>;
  /** What the processes are scaled to. */
  levelNs: Record<ComparedArm, number>;
  /** Half the width of the timed ratio's interval, as a share of the candidate. */
  timingError: number;
  functions: PairedFunction[];
}

/** A cause with the functions behind it, for the sentences on it. */
export interface CauseGroup {
  /** As printed in a table: may name the functions behind it. */
  name: string;
  /** As printed in a sentence. */
  label: string;
  /** What headings are made from: own functions, the loop, one function, a heading over builtins, the
   * rest. */
  kind: 'gc' | 'own' | 'loop' | 'function' | 'builtins' | 'rest';
  change: Interval;
  selfNs: Record<ComparedArm, number>;
  members: PairedFunction[];
  /** The members that name the cause: of own functions those whose file only one arm runs. */
  named: PairedFunction[];
}
