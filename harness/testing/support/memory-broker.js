/** @import { FleetBlock, FleetMessage } from '../../formats/types.ts' */
/** @import { Broker } from '../../studies/fleet/broker.js' */

/**
 * A broker in this process, with what a submitter needs of one.
 *
 * @param {(block: FleetBlock, answer: (...messages: FleetMessage[]) => void) => void} work called with each block that
 *   is submitted; answers at once or later
 * @param {{ unread?: FleetMessage[], broken?: Partial<Record<keyof Broker, (...args: any[]) => unknown>> }} [setting] `unread`:
 *   answers to an earlier session; `broken`: in place of its own functions
 */
export function openMemoryBroker(work, { unread = [], broken = {} } = {}) {
  const answers = [...unread];
  let wake = () => {};
  let isStopped = false;
  async function* listAnswers() {
    for (;;) {
      while (answers.length > 0) yield /** @type {FleetMessage} */ (answers.shift());
      if (isStopped) return;
      await new Promise((resolve) => (wake = () => resolve(undefined)));
    }
  }
  const stop = () => {
    isStopped = true;
    wake();
  };
  const answer = (/** @type {FleetMessage[]} */ ...messages) => {
    answers.push(...messages);
    wake();
  };
  const nothing = async () => {};
  const broker = {
    ...{ putRun: nothing, withdraw: nothing, endRun: nothing, ensureDelivery: nothing },
    hasBlocks: async () => true,
    submit: async (/** @type {FleetBlock} */ block) => void work(block, answer),
    listen: async () => ({ answers: listAnswers(), stop }),
    watch: () => () => {},
    ...broken,
  };
  return /** @type {Broker} */ (/** @type {unknown} */ (broker));
}
