import { fixRandom } from './load.js';
import { describePlace } from './describe-place.js';

/** @import { AwaitedOperation, BenchCaseTrait, Operation } from '../../formats/types.ts' */
/** @import { LoadedCases } from './load.js' */

/**
 * What a case is, in the generated file of its operation.
 *
 * @typedef {object} CaseIdentity
 * @property {string} file
 * @property {string} name as its file gives it
 * @property {number} number among those of this name in the file, from 0
 * @property {string} title unique
 * @property {string} [unchecked] why its results are not compared
 * @property {true} [isAsync]
 * @property {BenchCaseTrait} [trait]
 */

/** @typedef {{ fn: Function, last: unknown }} State */

/**
 * Makes the operation that measures one case of the benchmark files that a variant loads.
 *
 * @param {CaseIdentity} identity
 * @returns {Operation<State> | AwaitedOperation<State>}
 */
export function makeOperation({ file, name, number, title, unchecked, isAsync, trait }) {
  const common = {
    summary: name,
    title,
    ...(unchecked === undefined ? {} : { unchecked }),

    /** @param {object} module */
    async prepare(module) {
      const { cases } = /** @type {LoadedCases} */ (module);
      const { fn, setUp } = cases.filter((one) => one.file === file && one.name === name)[number];
      const restore = fixRandom();
      try {
        for (const step of setUp) await step();
      } finally {
        restore();
      }
      return { fn, last: undefined };
    },

    explainDifference: async (
      /** @type {Uint8Array} */ expected,
      /** @type {Uint8Array} */ found,
    ) => describePlace(expected, found),
  };
  const isChecked = unchecked === undefined;
  if (isAsync === true) {
    return {
      ...common,
      isAsync,
      call: ({ fn }) => fn(),
      ...(isChecked ? {} : { output: () => [] }),
    };
  }
  return {
    ...common,
    run: trait === 'timer' ? runTimer : runCalls,
    output: ({ fn }) => (isChecked ? [fn()] : []),
  };
}

/** @param {State} state @param {number} passes */
function runCalls(state, passes) {
  const { fn } = state;
  for (let pass = 0; pass < passes; pass++) state.last = fn();
}

const skip = () => {};

/** Bench-node has a function with an argument loop itself. @param {State} state @param {number} passes */
function runTimer(state, passes) {
  const { fn } = state;
  state.last = fn({ count: passes, start: skip, end: skip });
}
