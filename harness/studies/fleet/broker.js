import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { checkServerIdentity } from 'node:tls';
import { setTimeout as delay } from 'node:timers/promises';
import { AssayError, FormatError, MachineError, UsageError } from '../../lib/errors.js';
import { validate } from '../../formats/schemas.js';
import { readText } from '../../lib/files.js';
import { digestContent } from '../../variants/cache.js';

/** @import { PeerCertificate } from 'node:tls' */
/** @import { JetStreamManager, NextMsgRequest } from '@nats-io/jetstream' */
/** @import { Msg, MsgHdrs } from '@nats-io/transport-node' */
/** @import { FleetBlock, FleetMessage, FleetRun, FleetSign } from '../../formats/types.ts' */
/** @import { Io } from '../../lib/io.ts' */

/**
 * The broker, a NATS server with JetStream. It keeps the queue: which blocks wait, who has which, redelivery when a host
 * dies, and deduplication.
 *
 * @typedef {Awaited<ReturnType<typeof openBroker>>} Broker
 */

/**
 * A block that a host works on.
 *
 * @typedef {object} TakenBlock
 * @property {FleetBlock} block
 * @property {number} delivery how often the broker has given the block to a host, this time included
 * @property {() => void} stillWorking so that it is given to nobody else
 * @property {() => void} done
 * @property {(delayMs: number) => void} giveBack
 * @property {(problem: string) => void} refuse so that nobody gets it again
 */

const BLOCKS = 'ASSAY_BLOCKS';
const RESULTS = 'ASSAY_RESULTS';
const RUNS = 'ASSAY_RUNS';
/** All hosts share it. */
const CONSUMER = 'hosts';
/** Hosts that may wait for a block at the same time; by default NATS turns away those after the 512th. */
const MAX_WAITING = 20_000;

const NS_PER_MS = 1e6;
const DAY_MS = 24 * 3600 * 1000;
/** How long runs and results are kept. */
const KEPT_MS = 7 * DAY_MS;
/** Within this time, what is sent twice counts once. */
const DUPLICATES_MS = 3600 * 1000;
/** A block whose host is silent for this time is given to another. */
export const SILENCE_MS = 12_000;
const RECONNECT_MS = 1_000;
/** A block that a host cannot read is given to another after this time. */
const UNREADABLE_MS = 5_000;
/** A request that was under way when the broker went away gets no answer; it is repeated for up to this time. */
const PATIENCE_MS = 60_000;
const REQUEST_MS = 5_000;
/** A restarted broker does not know its listeners; after two missed heartbeats they read again what they missed. */
const LISTENING = { expires: 4_000, idle_heartbeat: 1_000 };
/** Size limit of a message; a block of a hundred observations has 300 KB. */
const MAX_BYTES = 1_000_000;
/** What a message needs besides its text. */
const HEADER_BYTES = 1_000;
/** Size limit of an object: an artefact, or the text of a message that is too large to send. */
export const MAX_OBJECT_BYTES = 32_000_000;
/** Headers of a message whose text is stored as an object: the object's name and digest. */
const OBJECT = 'Assay-Object';
const DIGEST = 'Assay-Digest';
/** Each run has a bucket of its own, so that everything it stored is deleted at once. */
const BUCKETS = 'assay-';
const LOCAL = ['localhost', '127.0.0.1', '[::1]'];
const MISSING = 'the broker does not have it';
/** Why a host refuses a run that a broker has lost, as one that is killed may lose what it was given last. */
export const NO_RUN = 'the broker does not have the run';
/** Matches the error of a broker that has no space left. */
const FULL = /insufficient|maximum bytes|no space|resource/i;
/** Matches the errors of what cannot be made beside what is there. */
const TAKEN = /overlap|already in use|already exists/i;
/** Matches the seed of a user, as `nk -gen user` writes it. */
const SEED = /\bSU[A-Z2-7]{56}\b/;

const CREDENTIALS =
  'set NATS_USER and NATS_PASSWORD, or NATS_NKEY to the file of a seed (docs/fleet-security.md)';
/** What to do about an error of a connection, the first that fits. @type {[pattern: RegExp, message: string, remedy: string][]} */
const REFUSED = [
  [/authorization violation/i, 'the NATS server at HOST refuses the credentials', CREDENTIALS],
  [
    /does not support 'tls'/,
    'the NATS server at HOST has no TLS',
    'give it a certificate (docs/fleet-security.md)',
  ],
  [
    /certificate|altnames/i,
    'the NATS server at HOST has no valid certificate',
    'set NATS_CA to the file of the authority that issued it, and use a name that is in it',
  ],
  [
    /^/,
    'no NATS server answers at HOST',
    'start one with: nats-server -js -a 127.0.0.1 (apt-get install nats-server), or check the address',
  ],
];

/**
 * Connects to the broker, and makes its streams if they are missing. A connection that is lost is made again, for as
 * long as it takes.
 *
 * @param {string} url `nats://127.0.0.1:4222`, `tls://host:4222`
 * @param {Pick<Io, 'environment' | 'workingPath'> & Partial<Pick<Io, 'signal'>>} io
 * @param {(note: string) => void} note called when the connection is lost, and when it is back
 * @throws {UsageError} for an address that is not safe
 * @throws {MachineError} when there is no server, it refuses, or it has no JetStream
 */
export async function openBroker(url, io, note) {
  const address = parseAddress(url, io);
  const { connect, errors, headers, nkeyAuthenticator } = await import('@nats-io/transport-node');
  const {
    AckPolicy,
    DeliverPolicy,
    JetStreamApiError,
    JetStreamError,
    RetentionPolicy,
    StorageType,
    jetstream,
    jetstreamManager,
  } = await import('@nats-io/jetstream');
  const { Objm } = await import('@nats-io/obj');
  const connection = await connect({
    servers: address.host,
    ...(address.tls === undefined ? {} : { tls: { ...address.tls, ...namedAs(address.host) } }),
    ...('seed' in address ? { authenticator: nkeyAuthenticator(address.seed) } : address.login),
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    name: 'assay',
  }).catch((cause) => {
    throw explainRefusal(cause, address.host);
  });
  reportStatus(connection, note);
  const client = jetstream(connection, { timeout: REQUEST_MS });
  const { manager, hosts } = await setUp().catch(async (error) => {
    await connection.close();
    throw error;
  });
  // Not asked for again with each block: that would be half of what idle hosts cost the broker.
  const consumer = client.consumers.getConsumerFromInfo(hosts);
  const stores = new Objm(client);
  /** Identifies this process in messages that count once, as two machines may have the same name. */
  const agent = randomUUID();
  /** Position among all answers up to which those of a run were read. @type {Map<string, number>} */
  const readUpTo = new Map();

  /** Makes what all runs share, where it is missing. */
  async function setUp() {
    const manager = await insist(() =>
      jetstreamManager(connection, { timeout: REQUEST_MS }).catch((cause) => {
        if (cause instanceof errors.TimeoutError) throw cause;
        throw new MachineError(
          `the NATS server at ${address.host} has no JetStream: ${cause.message}`,
          { cause, remedy: 'start it with -js' },
        );
      }),
    );
    const common = {
      storage: StorageType.File,
      max_age: KEPT_MS * NS_PER_MS,
      max_msg_size: MAX_BYTES,
      duplicate_window: DUPLICATES_MS * NS_PER_MS,
    };
    const streams = [
      { name: RUNS, subjects: ['assay.run.*'], max_msgs_per_subject: 1 },
      { name: BLOCKS, subjects: ['assay.block.*'], retention: RetentionPolicy.Workqueue },
      { name: RESULTS, subjects: ['assay.result.*'] },
    ];
    for (const stream of streams) {
      await insist(() => makeOrFind(() => manager.streams.add({ ...common, ...stream })));
    }
    return { manager, hosts: await insist(() => makeOrFind(() => addConsumer(manager))) };
  }

  /** @param {JetStreamManager} manager */
  function addConsumer({ consumers }) {
    return consumers.add(BLOCKS, {
      durable_name: CONSUMER,
      ack_policy: AckPolicy.Explicit,
      ack_wait: SILENCE_MS * NS_PER_MS,
      max_ack_pending: -1,
      max_waiting: MAX_WAITING,
    });
  }

  /**
   * Sends a request again while the broker is away, starts or is full, but not after an interrupt.
   *
   * @template T
   * @param {() => Promise<T>} request that may be sent twice
   * @returns {Promise<T>}
   * @throws {MachineError} when it fails for a minute or cannot succeed
   */
  async function insist(request) {
    const endMs = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await request();
      } catch (thrown) {
        const error = /** @type {Error} */ (thrown);
        refuseLasting(error);
        const { message } = error;
        if (io.signal?.aborted === true) throw new MachineError(message, { cause: error });
        if (performance.now() > endMs) {
          throw new MachineError(`the broker has rejected requests for a minute: ${message}`, {
            cause: error,
            remedy: FULL.test(message)
              ? 'free space for it, or raise its max_file_store; then resume the run'
              : 'see its log; then resume the run',
          });
        }
        await delay(RECONNECT_MS, undefined, { signal: io.signal }).catch(() => {});
      }
    }
  }

  /**
   * @param {Error} error of a request
   * @throws {Error} unless the same request may succeed later
   */
  function refuseLasting(error) {
    if (error instanceof AssayError) throw error;
    const { message, cause } = error;
    if (connection.isClosed()) throw turnedAway(error);
    // A host may not purge the rest of a failed upload; it uploads again.
    if (cause instanceof errors.PermissionViolationError && !cause.subject.includes('.PURGE.')) {
      throw new MachineError(`the broker does not permit this user: ${message}`, {
        cause,
        remedy: 'give it the permissions in docs/fleet-security.md',
      });
    }
    const isInvalid =
      error instanceof errors.InvalidArgumentError ||
      (error instanceof JetStreamApiError && error.status === 400 && !FULL.test(message));
    if (isInvalid) {
      throw new MachineError(`the broker rejects a request: ${message}`, {
        cause: error,
        remedy: 'check its limits, and that its streams were made by this version of Assay',
      });
    }
    const { TimeoutError, RequestError, ConnectionError } = errors;
    const kinds = [TimeoutError, RequestError, ConnectionError, JetStreamError, JetStreamApiError];
    // The error that nobody answers is the cause of another.
    if (!kinds.some((kind) => error instanceof kind || cause instanceof kind)) throw error;
  }

  /** Deletes the stores of killed submitters, which remain after everything in them has expired. */
  async function removeOldStores() {
    for await (const { config, created, state } of manager.streams.list(`$O.>`)) {
      const isOld = Date.now() - Date.parse(created) > KEPT_MS && state.messages === 0;
      if (isOld && config.name.startsWith(`OBJ_${BUCKETS}`)) {
        await manager.streams.delete(config.name).catch(ignoreMissing);
      }
    }
  }

  /**
   * @param {string} fleetId
   * @param {Uint8Array} bytes
   * @returns {Promise<{ object: string, digest: string } | null>} null if the run has ended
   */
  async function putObject(fleetId, bytes) {
    const object = randomUUID();
    const isPut = await insist(async () => {
      const store = await stores.open(BUCKETS + fleetId).catch(ignoreMissing);
      await store?.putBlob({ name: object }, bytes, { timeout: REQUEST_MS });
      return store !== null;
    });
    return isPut ? { object, digest: digestContent(bytes) } : null;
  }

  /**
   * @param {string} fleetId
   * @param {{ object: string, digest: string }} wanted
   * @returns {Promise<Uint8Array | string>} or why there is none
   */
  async function getObject(fleetId, { object, digest }) {
    const bucket = BUCKETS + fleetId;
    const found = await insist(async () => {
      const store = await stores.open(bucket).catch(ignoreMissing);
      const info = (await store?.info(object)) ?? null;
      if (info === null || info.deleted || !/^\w+$/.test(info.nuid)) return MISSING;
      if (info.size > MAX_OBJECT_BYTES) return describeExcess(info.size);
      return readChunks(bucket, info);
    }).catch((error) => {
      if (error instanceof AssayError) throw error;
      return `it cannot be read: ${error.message}`;
    });
    if (typeof found === 'string' || digestContent(found) === digest) return found;
    return 'it is not what the host has stored';
  }

  /**
   * Reads no more than an object is said to have; the client reads all that is there, and waits for what is missing.
   *
   * @param {string} bucket
   * @param {{ nuid: string, size: number }} info
   * @returns {Promise<Uint8Array | string>} or why there is nothing
   */
  async function readChunks(bucket, { nuid, size }) {
    const endMs = performance.now() + PATIENCE_MS;
    const chunks = [];
    let leftBytes = size;
    for (let seq = 1; leftBytes > 0;) {
      if (performance.now() > endMs) return 'it does not arrive';
      /** @type {NextMsgRequest & { seq: number }} */
      const next = { seq, next_by_subj: `$O.${bucket}.C.${nuid}` };
      const chunk = await manager.streams.getMessage(`OBJ_${bucket}`, next);
      if (chunk === null) return MISSING;
      chunks.push(chunk.data);
      leftBytes -= chunk.data.length;
      seq = chunk.seq + 1;
    }
    return Buffer.concat(chunks);
  }

  /**
   * Publishes what is stored until it is read. What is too large for a message becomes an object.
   *
   * @param {string} subject whose last part is the run
   * @param {{ fleetId: string, value: object, msgID?: string }} message
   */
  async function send(subject, { fleetId, value, ...options }) {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    if (bytes.length <= MAX_BYTES - HEADER_BYTES) {
      await insist(() => client.publish(`${subject}.${fleetId}`, bytes, options));
      return;
    }
    if (bytes.length > MAX_OBJECT_BYTES) throw new MachineError(describeExcess(bytes.length));
    const stored = await putObject(fleetId, bytes);
    if (stored === null) return;
    const pointer = headers();
    pointer.set(OBJECT, stored.object);
    pointer.set(DIGEST, stored.digest);
    await insist(() =>
      client.publish(`${subject}.${fleetId}`, '', { ...options, headers: pointer }),
    );
  }

  /**
   * @param {Parameters<typeof readMessage>[0]} kind
   * @param {string} fleetId
   * @param {{ data: Uint8Array, headers?: MsgHdrs | undefined }} message
   * @returns {Promise<any>} what was sent, or what is wrong with it
   */
  async function receive(kind, fleetId, { data, headers: pointer }) {
    const object = pointer?.get(OBJECT) ?? '';
    if (object === '') return readMessage(kind, data);
    const found = await getObject(fleetId, { object, digest: pointer?.get(DIGEST) ?? '' });
    return typeof found === 'string' ? found : readMessage(kind, found, MAX_OBJECT_BYTES);
  }

  return {
    /**
     * Begins a session of a run.
     * @type {(fleetId: string, run: FleetRun) => Promise<void>}
     */
    async putRun(fleetId, run) {
      await insist(async () => {
        await removeOldStores();
        await stores.create(BUCKETS + fleetId, {
          storage: StorageType.File,
          ttl: KEPT_MS * NS_PER_MS,
        });
      });
      await send('assay.run', { fleetId, value: run });
    },

    /**
     * @param {string} fleetId
     * @returns {Promise<FleetRun | string>} or why it cannot be read
     */
    async getRun(fleetId) {
      const query = { last_by_subj: `assay.run.${fleetId}` };
      const found = await insist(() => manager.streams.getMessage(RUNS, query));
      if (found === null) return NO_RUN;
      return receive('fleet-run', fleetId, { data: found.data, headers: found.header });
    },

    /** Deletes the objects of a run. @type {(fleetId: string) => Promise<void>} */
    async endRun(fleetId) {
      await manager.streams.delete(`OBJ_${BUCKETS}${fleetId}`).catch(ignoreMissing);
    },

    putObject,
    getObject,

    /** @type {(fleetId: string, object: string) => Promise<void>} */
    async deleteObject(fleetId, object) {
      const store = await stores.open(BUCKETS + fleetId, false);
      await store.delete(object);
    },

    /** @type {(block: FleetBlock) => Promise<void>} */
    async submit(block) {
      const { fleetId, blockId } = block;
      await send('assay.block', { fleetId, value: block, msgID: nameMessage(fleetId, blockId) });
    },

    /**
     * Makes sure that hosts get what was submitted. A broker that was killed while no block waited counts from 1
     * again, and its consumer would pass over the blocks up to the number that it had reached.
     */
    async ensureDelivery() {
      await insist(async () => {
        // In this order: meanwhile another submitter may submit, and hosts take it.
        const { delivered } = await manager.consumers.info(BLOCKS, CONSUMER);
        const { state } = await manager.streams.info(BLOCKS);
        if (delivered.stream_seq <= state.last_seq) return;
        await manager.consumers.delete(BLOCKS, CONSUMER);
        await makeOrFind(() => addConsumer(manager));
      });
    },

    /**
     * Withdraws the blocks of a run, or one of them, also those that hosts work on. One by one: NATS 2.9.10 forgets the blocks
     * of other runs that wait when it purges those of one.
     *
     * @type {(fleetId: string, blockId?: string) => Promise<void>}
     */
    async withdraw(fleetId, blockId) {
      for (let seq = 1; ;) {
        /** @type {NextMsgRequest & { seq: number }} */
        const next = { seq, next_by_subj: `assay.block.${fleetId}` };
        const found = await insist(() => manager.streams.getMessage(BLOCKS, next));
        if (found === null) return;
        seq = found.seq + 1;
        const own = found.header?.get('Nats-Msg-Id');
        if (blockId !== undefined && own !== nameMessage(fleetId, blockId)) continue;
        // The host may have answered for it meanwhile.
        const remove = () => manager.streams.deleteMessage(BLOCKS, found.seq, false);
        await insist(() => remove().catch(ignoreMissing));
      }
    },

    /** @type {(fleetId: string) => Promise<boolean>} whether it has blocks of the run, whether or not hosts have taken them */
    async hasBlocks(fleetId) {
      /** @type {NextMsgRequest & { seq: number }} */
      const first = { seq: 1, next_by_subj: `assay.block.${fleetId}` };
      return (await insist(() => manager.streams.getMessage(BLOCKS, first))) !== null;
    },

    /**
     * @param {number} waitMs
     * @param {(problem: string, fleetId: string) => void} refuse called with why a block cannot be read here; another
     *   host gets it
     * @returns {Promise<TakenBlock | null>} null if there is none
     */
    async takeBlock(waitMs, refuse) {
      const message = await consumer.next({ expires: waitMs }).catch((error) => {
        throw connection.isClosed() ? turnedAway(error) : error;
      });
      if (message === null) return null;
      const fleetId = message.subject.slice(message.subject.lastIndexOf('.') + 1);
      const block = /** @type {FleetBlock | string} */ (
        await receive('fleet-block', fleetId, message)
      );
      if (typeof block === 'string') {
        message.nak(UNREADABLE_MS);
        refuse(block, fleetId);
        return null;
      }
      return {
        block,
        delivery: message.info.deliveryCount,
        stillWorking: () => message.working(),
        // Where this is lost, the block is measured again, and counts once.
        done: () => message.ack(),
        giveBack: (delayMs) => message.nak(delayMs),
        refuse: (problem) => message.term(problem),
      };
    },

    /** @type {(answer: FleetMessage) => Promise<void>} */
    async answer(answer) {
      const { fleetId } = answer;
      const own = 'blockId' in answer ? answer.blockId : `${answer.host} ${answer.kind} ${agent}`;
      await send('assay.result', { fleetId, value: answer, msgID: nameMessage(fleetId, own) });
    },

    /**
     * @param {string} fleetId
     * @returns {Promise<{ answers: AsyncIterable<FleetMessage | string>, stop: () => void }>} all answers of a run, from
     *   the first one that was not read before; for one that cannot be read, why
     */
    async listen(fleetId) {
      const filter = `assay.result.${fleetId}`;
      const next = (readUpTo.get(fleetId) ?? 0) + 1;
      const start = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: next };
      const ordered = { filter_subjects: filter, ...start };
      const consumer = await insist(() => client.consumers.get(RESULTS, ordered));
      const messages = await consumer.consume(LISTENING);
      async function* readAll() {
        for await (const message of messages) {
          readUpTo.set(fleetId, message.seq);
          yield /** @type {FleetMessage | string} */ (
            await receive('fleet-message', fleetId, message)
          );
        }
        if (connection.isClosed()) throw turnedAway();
      }
      return { answers: readAll(), stop: () => messages.stop() };
    },

    /** Tells the submitter of a run, if it is there, that a host works on a block. @type {(fleetId: string, sign: FleetSign) => void} */
    tellWorking(fleetId, sign) {
      if (connection.isClosed()) return;
      connection.publish(`assay.alive.${fleetId}`, JSON.stringify(sign));
    },

    /**
     * @param {string} fleetId
     * @param {(sign: FleetSign) => void} onWorking called with what `tellWorking` tells
     * @returns {() => void} ends it
     */
    watch(fleetId, onWorking) {
      const callback = (/** @type {Error | null} */ error, /** @type {Msg} */ message) => {
        if (error !== null) return;
        const sign = readMessage('fleet-sign', message.data);
        if (typeof sign !== 'string') onWorking(sign);
      };
      const subscription = connection.subscribe(`assay.alive.${fleetId}`, { callback });
      return () => subscription.unsubscribe();
    },

    /** Whether the connection has ended for good. @type {() => boolean} */
    isClosed: () => connection.isClosed(),

    /** @type {() => Promise<void>} */
    close: () => connection.close(),
  };
}

/**
 * Makes what another process may be making at the same moment. NATS refuses the second request until the first is carried
 * out, as one for something else; later it answers it with what is there.
 *
 * @template T
 * @param {() => Promise<T>} add
 * @returns {Promise<T>}
 * @throws {Error} any other, and that of the third try
 */
export async function makeOrFind(add) {
  for (const waitMs of [50, 500]) {
    try {
      return await add();
    } catch (error) {
      if (!TAKEN.test(/** @type {Error} */ (error).message)) throw error;
      await delay(waitMs);
    }
  }
  return add();
}

/** Identity of a message, by which the broker keeps it once. @type {(fleetId: string, own: string) => string} */
function nameMessage(fleetId, own) {
  return `${fleetId}/${own}`;
}

/** The client connects again for as long as it takes, unless its credentials are refused. @param {Error} [cause] */
function turnedAway(cause) {
  return new MachineError('the broker has turned this user away', { cause, remedy: CREDENTIALS });
}

/**
 * The client names no server to TLS where the address is that of a network, and TLS then expects 'localhost'.
 *
 * @param {string} host with its port
 * @returns {object} option of TLS by which the certificate must be for that host
 */
function namedAs(host) {
  const name = new URL(`tls://${host}`).hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    checkServerIdentity: (/** @type {string} */ _, /** @type {PeerCertificate} */ certificate) =>
      checkServerIdentity(name, certificate),
  };
}

/** @param {number} bytes */
export function describeExcess(bytes) {
  const [found, most] = [bytes, MAX_OBJECT_BYTES].map((each) => Math.ceil(each / 1e6));
  return `it is ${found} MB; the limit is ${most} MB`;
}

/**
 * @param {Error} error
 * @returns {null} if what a request named is not there any more
 * @throws {Error} any other
 */
function ignoreMissing(error) {
  if (/not found|no message found/.test(error.message)) return null;
  throw error;
}

/**
 * Where a broker is, and what to show it. Credentials are in variables of the environment, named as those of the command
 * `nats`: a command line is seen by other users and stored by shells.
 *
 * @param {string} url
 * @param {Pick<Io, 'environment' | 'workingPath'>} io
 * @returns {{ host: string, tls?: { ca?: string } } & ({ login: { user?: string, pass?: string } } | { seed: Uint8Array })}
 * @throws {UsageError} for what is no address, has credentials in it, or is one of another machine without encryption and
 *   credentials
 */
export function parseAddress(url, { environment, workingPath }) {
  const remedy = 'nats://127.0.0.1:4222, or tls://HOST:4222 for another machine';
  // What is before the last @ may be a password, and is not repeated.
  if (url.includes('@')) {
    throw new UsageError('credentials in an address can be seen by others on this host', {
      remedy: CREDENTIALS,
    });
  }
  if (!URL.canParse(url)) throw new UsageError(`'${url}' is not an address`, { remedy });
  const { protocol, hostname, host } = new URL(url);
  if (protocol !== 'tls:' && protocol !== 'nats:') {
    throw new UsageError(`'${url}' is not the address of a NATS server`, { remedy });
  }
  const isEncrypted = protocol === 'tls:';
  const { NATS_USER: user, NATS_PASSWORD: pass, NATS_NKEY: nkey, NATS_CA: ca } = environment;
  const read = (/** @type {string} */ file) =>
    readText(resolve(workingPath, file), `'${file}'`, 'check the variables that begin with NATS_');
  if (!LOCAL.includes(hostname)) {
    const text = `the broker at ${hostname} must have encryption and credentials: whoever may submit decides what runs`;
    if (!isEncrypted) throw new UsageError(text, { remedy });
    if (!nkey && !(user && pass)) throw new UsageError(text, { remedy: CREDENTIALS });
  }
  return {
    host,
    ...(isEncrypted ? { tls: ca ? { ca: read(ca) } : {} } : {}),
    ...(nkey
      ? { seed: findSeed(read(nkey), nkey) }
      : { login: { ...(user ? { user } : {}), ...(pass ? { pass } : {}) } }),
  };
}

/**
 * @param {string} text
 * @param {string} file
 * @returns {Uint8Array}
 * @throws {UsageError} when there is none
 */
function findSeed(text, file) {
  const [seed] = SEED.exec(text) ?? [];
  if (seed !== undefined) return new TextEncoder().encode(seed);
  throw new UsageError(`'${file}' contains no nkey user seed`, { remedy: CREDENTIALS });
}

/** @type {(cause: Error, host: string) => MachineError} */
function explainRefusal(cause, host) {
  const [, message, remedy] = /** @type {typeof REFUSED[0]} */ (
    REFUSED.find(([pattern]) => pattern.test(`${cause.message} ${cause.cause}`))
  );
  const text = message.replace('HOST', host);
  return new MachineError(`${text}: ${cause.message}`, { cause, remedy });
}

/**
 * @param {'fleet-run' | 'fleet-block' | 'fleet-message' | 'fleet-sign'} kind
 * @param {Uint8Array} data
 * @param {number} [mostBytes]
 * @returns {any} the message, or what is wrong with it
 */
export function readMessage(kind, data, mostBytes = MAX_BYTES) {
  if (data.length > mostBytes) return `it has ${data.length} bytes, more than ${mostBytes}`;
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
    if (type === 'disconnect') note('lost the connection to the broker; reconnecting');
    if (type === 'reconnect') note('the broker is back');
  }
}
