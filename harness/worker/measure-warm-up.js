/** @import { MeasureSettings, Measurement } from '../formats/types.ts' */

// Taken before a variant is loaded, which could replace them.
const { abs, max, min, round } = Math;

/** Settled: the last chunk differs by less than this share from the one two before it. */
const SETTLED_SHARE = 0.05;
/** Least number of chunks to compare. */
const MIN_CHUNKS = 4;
/** Limit on the growth of chunks, since early passes are slow. */
const MAX_GROWTH = 8;

/**
 * Controls a warm-up: the caller runs chunks of `nextPasses` and adds their times until `isDone`.
 */
export class WarmUp {
  /**
   * @param {MeasureSettings} settings
   * @param {{ documents: number, chunkMs: number }} pass documents in one pass; target time of a
   *   chunk
   */
  constructor(settings, { documents, chunkMs }) {
    this.settings = settings;
    this.documents = documents;
    this.chunkMs = chunkMs;
    this.nextPasses = 1;
    /** Of wall time, in the last chunk. */
    this.passMs = 0;
    this.isDone = false;
    this.ms = 0;
    this.calls = 0;
    /** @type {number[]} by chunk: the figure that must settle, per pass */
    this.figures = [];
  }

  /**
   * Adds a chunk of `nextPasses`.
   *
   * @param {number} wallMs time of the chunk
   * @param {number} [figureMs] the figure that must settle; default: wall time
   */
  addChunk(wallMs, figureMs = wallMs) {
    const passes = this.nextPasses;
    this.ms += wallMs;
    this.calls += passes * this.documents;
    this.passMs = max(wallMs / passes, 1e-6);
    this.figures[this.figures.length] = figureMs / passes;
    const { warmUpMs, warmUpCalls, maxWarmUpMs } = this.settings;
    const isEnough = this.ms >= warmUpMs && this.calls >= warmUpCalls;
    this.isDone = (isEnough && this.hasSettled()) || this.ms >= maxWarmUpMs;
    this.nextPasses = min(this.passesIn(this.chunkMs), passes * MAX_GROWTH);
  }

  /**
   * @param {number} ms
   * @returns {number} passes that take this long at the speed of the last chunk; at least one
   */
  passesIn(ms) {
    return max(1, round(ms / this.passMs));
  }

  /** @returns {boolean} whether the figure is stable from chunk to chunk */
  hasSettled() {
    const { figures } = this;
    if (figures.length < MIN_CHUNKS) return false;
    const last = figures[figures.length - 1];
    const earlier = figures[figures.length - 3];
    return abs(last - earlier) <= SETTLED_SHARE * earlier;
  }

  /** @returns {Measurement['warmUp']} summary */
  describe() {
    return { ms: this.ms, calls: this.calls, settled: this.hasSettled() };
  }
}
