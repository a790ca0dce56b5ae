/** Memory: what a job measures and what a verdict says of it. Sizes are bytes. */

import type { CollectionTotal } from './protocol.ts';
import type { Arm, Cell, RatioInterval } from './run.ts';
import type { AtLeastOne, Count, Integer, NonNegative, Text } from './scalars.ts';
import type { Warning } from './verdict.ts';

/** Bytes that an operation allocates, from windows of two lengths without a collection in them. */
export interface AllocationResult {
  kind: 'allocation';
  /** Bytes per document on the heap, one figure per pair of windows: the longer minus the shorter.
   * @minItems 1 */
  windowHeapBytes: number[];
  /** Bytes per document off the heap, mostly array buffers, over all windows. */
  offHeapBytes: NonNegative;
  /** Allocations per document, where they can be counted. */
  allocations?: NonNegative;
  /** Documents in the shorter window. */
  documentsPerWindow: AtLeastOne;
  /** Windows with a collection in them. They are discarded if any other is left. */
  collectedWindows: Count;
  /** Whether windows with collections had to be used, bridged by the collector's account of the heap
   * before and after. */
  bridged: boolean;
}

/** Garbage collections of an operation under default flags. */
export interface CollectionsResult {
  kind: 'collections';
  /** Documents processed. */
  documents: AtLeastOne;
  /** Wall time, in milliseconds. */
  wallMs: NonNegative;
  /** By kind of collection: `scavenge`, `mark-compact`, `incremental`, `weak-callbacks`. */
  collections: Record<string, CollectionTotal>;
  /** Bytes allocated per document by the collector's account: a cross-check of the windows. */
  allocatedBytes: number;
}

/** The heap after a collection with a number of documents held. */
export interface HeldPoint {
  /** Documents held. */
  documents: AtLeastOne;
  /** Heap in use, in bytes. */
  heapUsedBytes: NonNegative;
  /** Off the heap, array buffers included, in bytes. */
  externalBytes: NonNegative;
  /** The part of `externalBytes` in array buffers, in bytes. */
  arrayBufferBytes: NonNegative;
  /** Resident set of the process, in bytes. */
  rssBytes: NonNegative;
}

/** The collected heap at several numbers of held documents. */
export interface SlopeResult {
  kind: 'retained-slope';
  /** By number of documents, ascending.
   * @minItems 2 */
  points: HeldPoint[];
}

/** Bytes held on and off the heap. */
interface HeldBytes {
  /** On the heap, in bytes. */
  heapBytes: NonNegative;
  /** Off the heap, in bytes. */
  offHeapBytes: NonNegative;
}

/** What a heap snapshot says of the documents held. Means per document. */
export interface SnapshotResult extends HeldBytes {
  kind: 'retained-snapshot';
  /** Documents held. */
  documents: AtLeastOne;
  /** The same bytes by what they consist of, the largest first; sums to the two figures above. */
  composition: CompositionPart[];
  /** The documents themselves, then the constructors that retain most. */
  groups: HeldGroup[];
}

/** Objects of one sort within a document. */
export interface CompositionPart extends HeldBytes {
  /** Constructor or sort of thing: `ObjectId`, `string`, `ArrayBuffer data`. */
  name: string;
  /** Number in a document. */
  perDocument: NonNegative;
}

/** Instances of one constructor; means per instance. The bytes include what only the instance holds and its
 * share of what it holds together with others. */
export interface HeldGroup extends HeldBytes {
  /** Name of the constructor; `(document)` for the documents themselves. */
  name: string;
  /** Instances in a document. */
  perDocument: NonNegative;
  /** The object alone, in bytes. */
  shallowBytes: NonNegative;
  /** The rest by field. */
  parts: HeldPart[];
}

/** What a field of an object holds. */
export interface HeldPart extends HeldBytes {
  /** Name of the field; empty for what others hold too. */
  field: string;
  /** Constructor or sort of what is there. */
  holds: string;
  /** Whether others hold it too; the bytes are this one's share. */
  shared: boolean;
}

/** What a memory job found.
 * @discriminator kind */
export type MemoryResult = AllocationResult | CollectionsResult | SlopeResult | SnapshotResult;

/** A verdict on a figure of memory. */
export type MemoryWord = 'smaller' | 'larger' | 'equivalent' | 'inconclusive' | 'untrusted';

/** One figure of memory, both arms compared. */
export interface MemoryMetric {
  /** Which figure. */
  name:
    | 'allocated-heap'
    | 'allocated-off-heap'
    | 'allocations'
    | 'collections'
    | 'collection-time'
    | 'retained'
    | 'retained-slope';
  /** What it counts, per document or instance; collections per 1000 documents. */
  unit: 'bytes' | 'allocations' | 'collections' | 'ns';
  verdict: MemoryWord;
  /** Whether the verdict is a direction and its whole interval lies beyond the minimum effect. */
  strong: boolean;
  /** Whether all processes of the candidate agree to the last digit, and all of baseline and control. */
  exact: boolean;
  /** Typical figure; null if there is none. That of the baseline is over baseline and control. */
  values: Record<Arm, number | null>;
  /** Candidate divided by baseline and control together; null if a figure is missing or zero, or with
   * too few processes for an interval. */
  ratio: RatioInterval | null;
  /** Control divided by baseline. */
  control: RatioInterval | null;
  /** Processes that gave it. */
  figures: Record<Arm, Count>;
}

/** Collections over all processes of an arm. */
export interface CollectionSummary {
  /** Collections per 1000 documents, by kind. */
  perThousand: Record<string, NonNegative>;
  /** Share of the time spent in them. */
  timeShare: NonNegative;
}

/** Allocation and collections of one cell. */
export interface CellMemory {
  cell: Cell;
  /** Its figures. */
  metrics: MemoryMetric[];
  /** Collections by arm; null if none were recorded. */
  collections: Record<Arm, CollectionSummary | null>;
}

/** Resident set over the processes of an arm: context, not a verdict. */
interface ResidentSet {
  /** Lowest, in bytes. */
  low: NonNegative;
  /** Median, in bytes. */
  median: NonNegative;
  /** Highest, in bytes. */
  high: NonNegative;
}

/** One constructor that both arms have. */
export interface GroupComparison {
  /** Name of the constructor; `(document)` for the documents themselves. */
  name: string;
  /** Bytes of one instance. */
  metric: MemoryMetric;
  baseline: HeldGroup;
  candidate: HeldGroup;
}

/** What the documents of one corpus retain after they are read. */
export interface CorpusMemory {
  /** Label of the corpus. */
  corpus: Text;
  /** Number of the candidate in the question, from 0, if there are several. */
  candidate?: Count;
  /** Documents held when the figures were taken. */
  documents: {
    /** In a heap snapshot. */
    snapshot: Integer | null;
    /** At the end of the slope. */
    slope: Integer | null;
  };
  /** Figures per document. */
  metrics: MemoryMetric[];
  /** The documents themselves, then the constructors that retain most, of those that both arms have. */
  groups: GroupComparison[];
  /** What the documents consist of. */
  composition: Record<'baseline' | 'candidate', CompositionPart[]>;
  /** Resident set, in bytes. */
  rssBytes: Record<Arm, ResidentSet | null>;
}

/** The part of verdict.json about memory. */
export interface MemoryVerdict {
  /** Allocation and collections. */
  cells: CellMemory[];
  /** What documents retain. */
  corpora: CorpusMemory[];
  /** What a careful reader should know, numbered on from the warnings of the run. */
  warnings: Warning[];
}
