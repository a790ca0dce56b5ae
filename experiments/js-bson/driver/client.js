import * as reference from 'bson';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Module, createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A server that does not answer fails the job, long before its time limit. */
const PATIENCE_MS = 5_000;

/**
 * Loads the MongoDB driver with a variant as its package `bson`. The driver is CommonJS and imports bson in one file,
 * so the variant is put where `require` looks for that import: no copy of the driver is made, and what the driver
 * calls are the very functions of the variant.
 * @param {object} module namespace of the variant; classes that it lacks are those of npm bson 7.3.4
 * @param {string} directory of the package `mongodb`
 * @returns {any} exports of the driver
 * @throws {Error} if the driver does not use the functions of the variant
 */
export function loadDriver(module, directory) {
  const require = createRequire(join(directory, 'lib', 'bson.js'));
  const path = require.resolve('bson');
  const bson = /** @type {any} */ ({ ...reference, ...module });
  bson.BSON = bson;
  require.cache[path] = Object.assign(new Module(path), { exports: bson, loaded: true });
  const driver = require(directory);
  for (const name of ['serialize', 'deserialize', 'calculateObjectSize']) {
    if (driver.BSON[name] !== bson[name])
      throw new Error(`the driver does not use ${name} of the variant`);
  }
  return driver;
}

/**
 * Starts a server in a process of its own, which ends with this one.
 * @param {'replay-server' | 'mongod'} name
 * @param {string[]} [args] see `replay-server.js` and `mongod.js`
 * @returns {Promise<{ uri: string, stop: () => Promise<void> }>} its connection string; what ends it and waits
 */
export async function startServer(name, args = []) {
  const path = fileURLToPath(new URL(`${name}.js`, import.meta.url));
  const server = spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ending = once(server, 'exit');
  const ended = ending.then(([status]) => {
    throw new Error(`the server ended with status ${status}`);
  });
  const [port] = await Promise.race([once(server.stdout.setEncoding('utf8'), 'data'), ended]);
  ended.catch(() => {});
  // Nothing of it keeps this process alive.
  server.unref();
  for (const stream of [server.stdin, server.stdout]) /** @type {any} */ (stream).unref();
  return {
    uri: `mongodb://127.0.0.1:${String(port).trim()}/?directConnection=true`,
    async stop() {
      server.ref();
      server.stdin.end();
      await ending;
    },
  };
}

/**
 * @param {any} driver
 * @param {string} uri
 * @returns {Promise<any>} a connected client; its monitor polls seldom, so that it takes no time while another does
 */
export async function connect(driver, uri) {
  const client = new driver.MongoClient(uri, {
    serverMonitoringMode: 'poll',
    heartbeatFrequencyMS: 600_000,
    serverSelectionTimeoutMS: PATIENCE_MS,
    connectTimeoutMS: PATIENCE_MS,
    socketTimeoutMS: PATIENCE_MS,
    retryReads: false,
    retryWrites: false,
  });
  return client.connect();
}
