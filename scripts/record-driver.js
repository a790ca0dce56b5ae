/**
 * Records what a real mongod answers the MongoDB driver, for the replay server of `experiments/js-bson/driver`.
 *
 * Usage: node scripts/record-driver.js PATH_OF_MONGOD DIRECTORY_OF_PACKAGE_MONGODB
 */
import * as bson from 'bson';
import { writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { connect, loadDriver, startServer } from '../experiments/js-bson/driver/client.js';
import { tour } from '../experiments/js-bson/driver/tour.js';
import { makeFramer, readReply, readRequest } from '../experiments/js-bson/driver/wire.js';

const [mongodPath, driverPath] = process.argv.slice(2);

/** @type {{ command: string, request: string, reply: string }[]} */
const recordings = [];
const { uri } = await startServer('mongod', [mongodPath]);
const { port } = new URL(uri);

const proxy = createServer((client) => {
  const server = createConnection(Number(port), '127.0.0.1');
  /** @type {Map<number, Buffer>} */
  const requests = new Map();
  const addRequest = makeFramer((message) => {
    requests.set(message.readInt32LE(4), Buffer.from(message));
  });
  const addReply = makeFramer((message) => {
    const request = requests.get(message.readInt32LE(8));
    if (request === undefined) return;
    const [command] = Object.keys(bson.deserialize(readRequest(request).body));
    recordings.push({
      command,
      request: request.toString('base64'),
      reply: readReply(message).toString('base64'),
    });
  });
  client.on('data', addRequest).pipe(server);
  server.on('data', addReply).pipe(client);
  client.on('error', () => server.destroy());
  server.on('error', () => client.destroy());
});
await new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(null)));
const driver = loadDriver(bson, driverPath);
const proxyPort = /** @type {import('node:net').AddressInfo} */ (proxy.address()).port;
const client = await connect(driver, uri.replace(port, String(proxyPort)));
await tour(driver, client);
await client.close();

const path = new URL('../experiments/js-bson/driver/recordings.json', import.meta.url);
writeFileSync(path, `${JSON.stringify(recordings, null, 2)}\n`);
console.log(`${recordings.length} replies: ${recordings.map(({ command }) => command).join(' ')}`);
process.exit(0);
