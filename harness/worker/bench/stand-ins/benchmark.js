import { recordCase, recordGroup } from '../recorder.js';
import { makeResult } from './figures.js';

/** @typedef {Record<string, any>} Options */

const DEFERRED = 'it reports its end by a callback (defer), which cannot be timed in a loop';

/** What benchmarks and suites share: listeners, of which only those of the end are called. */
class Runnable {
  /** @type {Map<string, Function[]>} */
  events = new Map();
  aborted = false;
  running = false;

  /** @type {(names: string, listener: Function) => this} */
  on(names, listener) {
    for (const name of names.split(' ')) {
      this.events.set(name, [...(this.events.get(name) ?? []), listener]);
    }
    return this;
  }

  off() {
    return this;
  }

  abort() {
    return this;
  }

  reset() {
    return this;
  }

  run() {
    for (const listener of this.events.get('complete') ?? []) {
      try {
        listener.call(this, { type: 'complete', target: this, currentTarget: this });
      } catch {
        // It computes with figures of the file's own timing, which are all 0.
      }
    }
    return this;
  }
}

/**
 * @param {unknown[]} args name, function and options, in the forms of benchmark.js
 * @returns {Options}
 */
function readOptions(args) {
  /** @type {Options} */
  const options = {};
  const [first, second] = args;
  if (typeof first === 'string') options['name'] = first;
  if (typeof second === 'string') options['fn'] = second;
  for (const one of args) {
    if (typeof one === 'function') options['fn'] = one;
    else if (Object(one) === one) Object.assign(options, one);
  }
  return options;
}

/** @type {(code: any) => any} a function; benchmark.js takes its code as text, too */
function compile(code) {
  return typeof code === 'string' ? new Function(code) : code;
}

/** @type {(fn: any) => string | undefined} unless that is the name of its option */
function nameOf({ name }) {
  return name === 'fn' ? undefined : name;
}

class OneBenchmark extends Runnable {
  count = 1;
  times = { cycle: 0, elapsed: 0, period: 0, timeStamp: 0 };

  /** @param {unknown[]} args */
  constructor(...args) {
    super();
    const options = readOptions(args);
    Object.assign(this, makeResult(), options);
    this.options = options;
    this.name = options['name'];
    // Code may have set them for all benchmarks.
    const { fn, setup } = /** @type {Options} */ (/** @type {unknown} */ (this));
    if (fn === undefined) return;
    const isText = typeof fn === 'string' && typeof setup === 'string';
    const call = isText ? new Function(`${setup}; return function () { ${fn} };`)() : compile(fn);
    recordCase(this.name ?? nameOf(call), typeof call === 'function' ? call.bind(this) : call, {
      setUp: isText ? [] : [() => compile(setup)?.call(this)],
      ...(options['defer'] === true ? { problem: DEFERRED } : {}),
    });
  }

  /** @param {Options} [options] */
  clone(options = {}) {
    const copy = new OneBenchmark({ ...this.options, ...options });
    copy.events = new Map(this.events);
    return copy;
  }

  compare() {
    return 0;
  }

  toString() {
    return String(this.name);
  }
}

/** Stands in for the suites of benchmark.js. */
class Suite extends Runnable {
  /** @type {OneBenchmark[]} */
  benchmarks = [];
  length = 0;

  /** @param {unknown[]} args */
  constructor(...args) {
    super();
    this.options = readOptions(args);
    this.name = this.options['name'];
  }

  /** @param {unknown[]} args */
  add(...args) {
    recordGroup(this.name, () => {
      /** @type {any} */ (this)[this.length] = new OneBenchmark(...args);
    });
    this.benchmarks.push(/** @type {any} */ (this)[this.length]);
    this.length++;
    return this;
  }

  /** @param {Options} [options] */
  clone(options) {
    return new Suite({ ...this.options, ...options });
  }

  /** @param {unknown} wanted a function; other filters choose by figures, and there are none */
  filter(wanted) {
    return typeof wanted === 'function' ? this.benchmarks.filter((one) => wanted(one)) : [];
  }

  /** @param {any} convert a function, or the name of a property */
  map(convert) {
    return this.benchmarks.map((one) =>
      typeof convert === 'function' ? convert(one) : /** @type {any} */ (one)[convert],
    );
  }

  /** @param {(one: OneBenchmark, index: number) => unknown} visit */
  forEach(visit) {
    this.benchmarks.forEach((one, index) => visit(one, index));
    return this;
  }

  [Symbol.iterator]() {
    return this.benchmarks.values();
  }
}

/** Stands in for benchmark.js, which is called with and without `new`. */
export const Benchmark = Object.assign(
  new Proxy(OneBenchmark, { apply: (target, _this, args) => new target(...args) }),
  {
    Suite: new Proxy(Suite, { apply: (target, _this, args) => new target(...args) }),
    options: {},
    platform: { description: `Node ${process.version}` },
    version: '2.1.4',
    support: {},
    formatNumber: String,
    filter: () => [],
    invoke: () => [],
  },
);
export { Suite };
export default Benchmark;
