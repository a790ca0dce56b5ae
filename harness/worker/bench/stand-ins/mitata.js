import { recordCase, recordGroup, recordLater } from '../recorder.js';
import { makeResult } from './figures.js';

const COMPUTED = 'its parameters are computed before every call, which would be timed with it';

const GeneratorFunction = Object.getPrototypeOf(function* () {}).constructor;

/** A benchmark with its arguments, which mitata is given after its function. */
class Builder {
  /** @type {[string, unknown[]][]} */
  #args = [];
  /** @type {unknown} */
  #name;
  #fn;

  /** @param {unknown} name @param {unknown} fn */
  constructor(name, fn) {
    this.#name = name;
    this.#fn = fn;
    recordLater(() => this.#record());
  }

  #record() {
    /** @type {Record<string, unknown>[]} */
    let choices = [{}];
    for (const [name, values] of this.#args) {
      choices = choices.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
    }
    for (const chosen of choices) this.#recordOne(chosen);
  }

  /** @param {Record<string, unknown>} chosen values of its arguments */
  #recordOne(chosen) {
    const values = Object.entries(chosen);
    const plain = this.#name === undefined ? undefined : String(this.#name);
    let name = plain?.replaceAll(/\$(\w+)/g, (whole, key) => String(chosen[key] ?? whole));
    if (name === plain && values.length > 0) {
      name = `${name ?? ''} ${values.map(([key, value]) => `${key}=${value}`).join(' ')}`.trim();
    }
    const fn = this.#fn;
    if (!(fn instanceof GeneratorFunction)) return recordCase(name, fn);
    const yielded = /** @type {GeneratorFunction} */ (fn)({
      get: (/** @type {string} */ key) => chosen[key],
    }).next().value;
    if (typeof yielded === 'function') return recordCase(name, yielded);
    const { bench: inner } = Object(yielded);
    recordCase(name, inner, inner?.length > 0 ? { problem: COMPUTED } : {});
  }

  /** @type {(name: string | unknown[] | Record<string, unknown[]>, values?: unknown[]) => this} */
  args(name, values = []) {
    if (typeof name === 'string') this.#args.push([name, values]);
    else if (Array.isArray(name)) this.#args.push(['x', name]);
    else this.#args.push(...Object.entries(name));
    return this;
  }

  /** @type {(name: string, from: number, to: number, factor?: number) => this} */
  range(name, from, to, factor = 8) {
    const values = [];
    for (let value = from; value < to; value *= factor) values.push(value);
    return this.args(name, [...values, to]);
  }

  /** @type {(name: string, from: number, to: number, step?: number) => this} */
  dense_range(name, from, to, step = 1) {
    const values = [];
    for (let value = from; value <= to; value += step) values.push(value);
    return this.args(name, values);
  }

  /** @param {unknown} name */
  name(name) {
    this.#name = name;
    return this;
  }

  gc() {
    return this;
  }

  baseline() {
    return this;
  }

  compact() {
    return this;
  }

  highlight() {
    return this;
  }
}

/** @type {(name: unknown, fn?: unknown) => Builder} */
export function bench(name, fn) {
  return typeof name === 'function' ? new Builder(name.name, name) : new Builder(name, fn);
}

export const baseline = bench;
bench.skip = () => {};
bench.only = bench;

/** @type {(name: unknown, define?: () => unknown) => unknown} the name may be left out, or be in an object */
export function group(name, define) {
  if (typeof name === 'function') return recordGroup(undefined, () => name());
  const text = Object(name) === name ? /** @type {any} */ (name).name : name;
  return recordGroup(text, define ?? (() => {}));
}

/** @type {(define: () => unknown) => unknown} */
const draw = (define) => define();

export const summary = draw;
export const compact = draw;
export const boxplot = draw;
export const barplot = draw;
export const lineplot = draw;

/** Runs nothing. */
export async function run() {
  return { benchmarks: [], context: {}, layout: [] };
}

/** Measures nothing. */
export async function measure() {
  return makeResult();
}

/** @template T @param {T} value @returns {T} */
export function do_not_optimize(value) {
  return value;
}
