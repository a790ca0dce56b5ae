import { FormatError, MachineError, UsageError } from '../../lib/errors.js';
import { setTimeout as delay } from 'node:timers/promises';
import { validate } from '../../formats/schemas.js';

/** @import { FleetBlock, FleetMessage, FleetRun } from '../../formats/types.ts' */

/**
 * The broker, a NATS server with JetStream: what waits, who works on it, what happens if a host dies, and what was
 * sent twice is its business.
 *
 * @typedef {Awaited<ReturnType<typeof openBroker>>} Broker
 */

/**
 * A block that a host works on.
 *
 * @typedef {object} TakenBlock
 * @property {FleetBlock} block
 * @property {() => void} stillWorking so that it is given to nobody else
 * @property {() => void} done
 * @property {(delayMs: number) => void} giveBack
 */

const BLOCKS = 'ASSAY_BLOCKS';
const RESULTS = 'ASSAY_RESULTS';
const RUNS = 'ASSAY_RUNS';
/** All hosts share it. */
const CONSUMER = 'hosts';
/** Hosts that may wait for a block at the same time; by default NATS turns away those after the 512th. */
const MOST_WAITING = 20_000;

const NS_PER_MS = 1e6;
const DAY_MS = 24 * 3600 * 1000;
/** How long runs and results are kept. */
export const KEPT_MS = 7 * DAY_MS;
/** Within this time, what is sent twice counts once. */
const DUPLICATES_MS = 3600 * 1000;
/** A block whose host says nothing for so long is given to another. */
export const SILENCE_MS = 12_000;
const RECONNECT_MS = 1_000;
/** A request that was under way when the broker went away has no answer; it is sent again for so long. */
export const PATIENCE_MS = 60_000;
const REQUEST_MS = 5_000;
/** A broker that came back does not know who listens: two missed heartbeats tell, and what was missed is read again. */
const LISTENING = { expires: 4_000, idle_heartbeat: 1_000 };
/** Of a message; a block with a hundred observations has 300 KB. */
const MOST_BYTES = 1_000_000;
const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

const REMEDY =
  'start one with: nats-server -js -a 127.0.0.1 (apt-get install nats-server), or check the address';

/**
 * Connects to the broker, and makes its streams if they are missing. A connection that is lost is made again, for as
 * long as it takes.
 *
 * @param {string} url `nats://127.0.0.1:4222`, `tls://user:password@host:4222`
 * @param {(note: string) => void} note called when the connection is lost, and when it is back
 * @throws {UsageError} for an address that is not safe
 * @throws {MachineError} when there is no server, or it has no JetStream
 */
export async function openBroker(url, note) {
  const address = parseAddress(url);
  const { connect } = await import('@nats-io/transport-node');
  const { AckPolicy, DeliverPolicy, RetentionPolicy, StorageType, jetstream, jetstreamManager } =
    await import('@nats-io/jetstream');
  const connection = await connect({
    servers: address.host,
    ...(address.isEncrypted ? { tls: {} } : {}),
    ...(address.user === '' ? {} : { user: address.user, pass: address.password }),
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    name: 'assay',
  }).catch((cause) => {
    throw new MachineError(`no NATS server answers at ${address.host}: ${cause.message}`, {
      cause,
      remedy: REMEDY,
    });
  });
  reportStatus(connection, note);
  const manager = await jetstreamManager(connection, { timeout: REQUEST_MS }).catch(
    async (cause) => {
      await connection.close();
      throw new MachineError(
        `the NATS server at ${address.host} has no JetStream: ${cause.message}`,
        {
          cause,
          remedy: 'start it with -js',
        },
      );
    },
  );
  const client = jetstream(connection, { timeout: REQUEST_MS });
  const common = {
    storage: StorageType.File,
    max_age: KEPT_MS * NS_PER_MS,
    max_msg_size: MOST_BYTES,
    duplicate_window: DUPLICATES_MS * NS_PER_MS,
  };
  await manager.streams.add({
    ...common,
    name: RUNS,
    subjects: ['assay.run.*'],
    max_msgs_per_subject: 1,
  });
  await manager.streams.add({
    ...common,
    name: BLOCKS,
    subjects: ['assay.block.*'],
    retention: RetentionPolicy.Workqueue,
  });
  await manager.streams.add({ ...common, name: RESULTS, subjects: ['assay.result.*'] });
  const hosts = await manager.consumers.add(BLOCKS, {
    durable_name: CONSUMER,
    ack_policy: AckPolicy.Explicit,
    ack_wait: SILENCE_MS * NS_PER_MS,
    max_ack_pending: -1,
    max_waiting: MOST_WAITING,
  });
  // Not asked for again with each block: that would be half of what idle hosts cost the broker.
  const consumer = client.consumers.getConsumerFromInfo(hosts);

  /**
   * @template T
   * @param {() => Promise<T>} request that may be sent twice
   * @returns {Promise<T>}
   */
  async function insist(request) {
    const endMs = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await request();
      } catch (error) {
        if (connection.isClosed()) throw error;
        if (performance.now() > endMs) {
          const { message } = /** @type {Error} */ (error);
          throw new MachineError(`the broker does not take what is sent to it: ${message}`, {
            cause: error,
            remedy: 'free space for it, or raise its max_file_store; then resume the run',
          });
        }
        await delay(RECONNECT_MS);
      }
    }
  }

  return {
    /** @type {(fleetId: string, run: FleetRun) => Promise<void>} */
    async putRun(fleetId, run) {
      await insist(() => client.publish(`assay.run.${fleetId}`, JSON.stringify(run)));
    },

    /**
     * @param {string} fleetId
     * @returns {Promise<FleetRun | string>} or why it cannot be read
     */
    async getRun(fleetId) {
      const query = { last_by_subj: `assay.run.${fleetId}` };
      const found = await insist(() => manager.streams.getMessage(RUNS, query));
      return found === null
        ? 'the broker does not have the run'
        : readMessage('fleet-run', found.data);
    },

    /** @type {(block: FleetBlock) => Promise<void>} */
    async submit(block) {
      const { fleetId, blockId } = block;
      const text = JSON.stringify(block);
      const msgID = `${fleetId}/${blockId}`;
      await insist(() => client.publish(`assay.block.${fleetId}`, text, { msgID }));
    },

    /** Withdraws the blocks of a run that nobody works on. @type {(fleetId: string) => Promise<void>} */
    async withdraw(fleetId) {
      const filter = `assay.block.${fleetId}`;
      await insist(() => manager.streams.purge(BLOCKS, { filter }));
    },

    /**
     * @param {number} waitMs
     * @param {(problem: string) => void} refuse called with what is wrong with a block, which nobody gets again
     * @returns {Promise<TakenBlock | null>} null if there is none
     */
    async takeBlock(waitMs, refuse) {
      const message = await consumer.next({ expires: waitMs });
      if (message === null) return null;
      const block = /** @type {FleetBlock | string} */ (readMessage('fleet-block', message.data));
      if (typeof block === 'string') {
        message.term(block);
        refuse(block);
        return null;
      }
      return {
        block,
        stillWorking: () => message.working(),
        // Where this is lost, the block is measured again, and counts once.
        done: () => message.ack(),
        giveBack: (delayMs) => message.nak(delayMs),
      };
    },

    /** @type {(answer: FleetMessage) => Promise<void>} */
    async answer(answer) {
      const { fleetId, host } = answer;
      const text = JSON.stringify(answer);
      const cpus = answer.kind === 'host' ? (answer.pinned?.cpus ?? '') : '';
      const own = answer.kind === 'result' ? answer.blockId : `${host} ${answer.kind} ${cpus}`;
      const msgID = `${fleetId}/${own}`;
      await insist(() => client.publish(`assay.result.${fleetId}`, text, { msgID }));
    },

    /**
     * @param {string} fleetId
     * @returns {Promise<{ answers: AsyncIterable<FleetMessage | string>, stop: () => void }>} all answers of a run, from
     *   the first one; for one that cannot be read, why
     */
    async listen(fleetId) {
      const filter = `assay.result.${fleetId}`;
      const ordered = { filter_subjects: filter, deliver_policy: DeliverPolicy.All };
      const consumer = await insist(() => client.consumers.get(RESULTS, ordered));
      const messages = await consumer.consume(LISTENING);
      async function* readAll() {
        for await (const { data } of messages) {
          yield /** @type {FleetMessage | string} */ (readMessage('fleet-message', data));
        }
      }
      return { answers: readAll(), stop: () => messages.stop() };
    },

    /** @type {() => Promise<void>} */
    close: () => connection.close(),
  };
}

/**
 * @param {string} url
 * @returns {{ host: string, isEncrypted: boolean, user: string, password: string }}
 * @throws {UsageError} for what is no address, or one of another machine without encryption and credentials
 */
export function parseAddress(url) {
  const remedy = 'nats://127.0.0.1:4222, or tls://USER:PASSWORD@HOST:4222 for another machine';
  if (!URL.canParse(url)) throw new UsageError(`'${url}' is not an address`, { remedy });
  const { protocol, hostname, host, username, password } = new URL(url);
  const isEncrypted = protocol === 'tls:';
  if (!isEncrypted && protocol !== 'nats:') {
    throw new UsageError(`'${url}' is not the address of a NATS server`, { remedy });
  }
  if (!LOCAL.includes(hostname) && (!isEncrypted || username === '')) {
    throw new UsageError(
      `the broker at ${hostname} must have encryption and credentials: whoever may submit decides what runs`,
      { remedy },
    );
  }
  return {
    host,
    isEncrypted,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}

/**
 * @param {'fleet-run' | 'fleet-block' | 'fleet-message'} kind
 * @param {Uint8Array} data
 * @returns {any} the message, or what is wrong with it
 */
export function readMessage(kind, data) {
  try {
    const value = JSON.parse(new TextDecoder().decode(data));
    validate(kind, value);
    return value;
  } catch (error) {
    return error instanceof FormatError ? error.message : 'it is not JSON';
  }
}

/**
 * @param {{ status: () => AsyncIterable<{ type: string }> }} connection
 * @param {(note: string) => void} note
 */
async function reportStatus(connection, note) {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect') note('the broker is gone; waiting for it');
    if (type === 'reconnect') note('the broker is back');
  }
}
