import { SILENCE_MS } from './broker.js';

/** @import { HostProgress } from '../../formats/types.ts' */

/**
 * @typedef {object} Entry
 * @property {number} blocks
 * @property {number} failed
 * @property {number} heardMs
 * @property {boolean} isWorking
 * @property {string} [reason]
 */

/** Keeps what the hosts of a run do, as far as its submitter hears of it. @param {() => number} [nowMs] */
export function openRoster(nowMs = () => performance.now()) {
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  let shown = '';

  /** @type {(host: string, news: Partial<Entry>) => void} */
  function note(host, news) {
    const { blocks, failed } = entries.get(host) ?? { blocks: 0, failed: 0 };
    entries.set(host, { blocks, failed, isWorking: false, ...news, heardMs: nowMs() });
  }

  /** @returns {HostProgress[]} in the order in which they joined */
  function list() {
    return [...entries].map(([host, { blocks, failed, heardMs, isWorking, reason }]) => {
      const quietMs = nowMs() - heardMs;
      const isSilent = isWorking && quietMs > SILENCE_MS;
      const active = isSilent ? 'silent' : isWorking ? 'measuring' : 'waiting';
      return {
        host,
        state: reason === undefined ? active : 'refused',
        blocks,
        failed,
        quietSeconds: quietMs / 1000,
        ...(reason === undefined ? {} : { reason }),
      };
    });
  }

  return {
    list,

    /** @param {string} host that measures the run */
    join(host) {
      note(host, {});
    },

    /** @param {string} host  @param {string} reason */
    refuse(host, reason) {
      note(host, { reason });
    },

    /** @param {string} host that works on a block; one that has not joined may refuse */
    hear(host) {
      const entry = entries.get(host);
      if (entry !== undefined && entry.reason === undefined) note(host, { isWorking: true });
    },

    /** @param {string} host that has answered for a block  @param {number} failed attempts at jobs */
    answer(host, failed) {
      const before = entries.get(host);
      const blocks = (before?.blocks ?? 0) + 1;
      note(host, { blocks, failed: (before?.failed ?? 0) + failed });
    },

    /** @returns {boolean} whether a host has joined, is silent, is heard again or refuses since this was asked before */
    hasNews() {
      const now = list()
        .map(({ host, state }) => `${host} ${state === 'waiting' ? 'measuring' : state}`)
        .join('\n');
      const isNews = now !== shown;
      shown = now;
      return isNews;
    },
  };
}
