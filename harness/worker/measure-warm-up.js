/** @import { MeasureSettings, Measurement } from '../formats/types.ts' */

/** Settled: the last chunk is within this share of the one two before it. */
const SETTLED_SHARE = 0.05;
/** With fewer chunks there is nothing to hold the last one against. */
const MIN_CHUNKS = 4;
/** A chunk has at most so many times the passes of the one before: early passes are slow. */
const MAX_GROWTH = 8;

/**
 * Paces a warm-up: how many passes the next chunk has, and when there have been enough. Whoever
 * warms up runs a chunk of `nextPasses`, adds what it took, and goes on until `isDone`.
 */
export class WarmUp {
  /**
   * @param {MeasureSettings} settings
   * @param {{ documents: number, chunkMs: number }} pass documents in one pass; the time that a chunk
   *   of passes aims at
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
    /** @type {number[]} a chunk, by the figure that has to settle */
    this.figures = [];
  }

  /**
   * Takes in a chunk of `nextPasses`.
   *
   * @param {number} wallMs what the chunk took
   * @param {number} [figureMs] of the figure that has to settle, where it is not wall time
   */
  addChunk(wallMs, figureMs = wallMs) {
    const passes = this.nextPasses;
    this.ms += wallMs;
    this.calls += passes * this.documents;
    this.passMs = Math.max(wallMs / passes, 1e-6);
    this.figures.push(figureMs / passes);
    const { warmUpMs, warmUpCalls, maxWarmUpMs } = this.settings;
    const isEnough = this.ms >= warmUpMs && this.calls >= warmUpCalls;
    this.isDone = (isEnough && this.hasSettled()) || this.ms >= maxWarmUpMs;
    this.nextPasses = Math.min(this.passesIn(this.chunkMs), passes * MAX_GROWTH);
  }

  /**
   * @param {number} ms
   * @returns {number} passes that take so long, at the pace of the last chunk; at least one
   */
  passesIn(ms) {
    return Math.max(1, Math.round(ms / this.passMs));
  }

  /** @returns {boolean} whether the figure no longer moves from chunk to chunk */
  hasSettled() {
    const { figures } = this;
    if (figures.length < MIN_CHUNKS) return false;
    const last = figures[figures.length - 1];
    const earlier = figures[figures.length - 3];
    return Math.abs(last - earlier) <= SETTLED_SHARE * earlier;
  }

  /** @returns {Measurement['warmUp']} how it went */
  describe() {
    return { ms: this.ms, calls: this.calls, settled: this.hasSettled() };
  }
}
