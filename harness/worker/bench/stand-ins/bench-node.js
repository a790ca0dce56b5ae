import { recordCase, recordGroup } from '../recorder.js';

/** Stands in for the class of bench-node. */
export class Suite {
  /** @param {{ name?: string }} [options] */
  constructor(options = {}) {
    this.name = options.name;
  }

  /** @type {(name: string, first: unknown, second?: unknown) => this} options may come before the function */
  add(name, first, second) {
    const fn = typeof first === 'function' ? first : second;
    const isTimer = typeof fn === 'function' && fn.length > 0;
    recordGroup(this.name, () => recordCase(name, fn, isTimer ? { trait: 'timer' } : {}));
    return this;
  }

  async run() {
    return [];
  }
}

const report = () => {};

export const textReport = report;
export const prettyReport = report;
export const chartReport = report;
export const htmlReport = report;
export const jsonReport = report;
export const csvReport = report;
/** Plugins of bench-node do nothing here. */
class Plugin {}

export {
  Plugin as V8NeverOptimizePlugin,
  Plugin as V8GetOptimizationStatus,
  Plugin as V8OptimizeOnNextCallPlugin,
  Plugin as MemoryPlugin,
  Plugin as DeadCodeEliminationDetectionPlugin,
};
