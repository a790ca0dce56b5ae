import { recordCase } from '../recorder.js';
import { makeResult } from './figures.js';

/** @typedef {Record<string, any>} Options */

const EACH = 'it needs beforeEach or afterEach around every call, which would be timed with it';

/** A case, with figures that are 0. */
class Task extends EventTarget {
  result = makeResult();
  runs = 0;

  /** @param {string} name @param {Function} fn */
  constructor(name, fn) {
    super();
    this.name = name;
    this.fn = fn;
  }
}

/** Stands in for the class of tinybench. */
export class Bench extends EventTarget {
  /** @type {Task[]} */
  tasks = [];
  concurrency = null;

  /** @param {Options} [options] */
  constructor(options = {}) {
    super();
    this.opts = options;
    this.name = options.name;
  }

  get results() {
    return this.tasks.map(({ result }) => result);
  }

  /** @type {(name: string, fn: Function, options?: Options) => this} */
  add(name, fn, options = {}) {
    const task = new Task(name, fn);
    this.tasks.push(task);
    const { beforeAll, beforeEach, afterEach } = options;
    const { setup } = this.opts;
    recordCase(name, typeof fn === 'function' ? fn.bind(task) : fn, {
      setUp: [() => setup?.call(this, task, 'run'), () => beforeAll?.call(task, 'run')],
      ...(beforeEach || afterEach ? { problem: EACH } : {}),
    });
    return this;
  }

  todo() {
    return this;
  }

  /** @param {string} name */
  remove(name) {
    this.tasks = this.tasks.filter((task) => task.name !== name);
    return this;
  }

  /** @param {string} name */
  getTask(name) {
    return this.tasks.find((task) => task.name === name);
  }

  reset() {}

  async warmup() {}

  warmupSync() {}

  async run() {
    return this.tasks;
  }

  runSync() {
    return this.tasks;
  }

  /** @param {(task: Task) => unknown} [convert] */
  table(convert = ({ name }) => ({ 'Task name': name })) {
    return this.tasks.map(convert);
  }
}

export { Task };
export const nToMs = (/** @type {number} */ ns) => ns / 1e6;
export const now = () => performance.now();
export const hrtimeNow = now;
export default Bench;
