/**
 * A way to a port of 127.0.0.1; prints the port at which it begins. While the process is stopped it carries nothing, and
 * closes no connection.
 */
import { createConnection, createServer } from 'node:net';

const target = Number(process.argv[2]);
const relay = createServer((near) => {
  const far = createConnection(target, '127.0.0.1');
  for (const [from, to] of [
    [near, far],
    [far, near],
  ]) {
    from.on('data', (data) => to.write(data));
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}).listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (relay.address());
  process.stdout.write(`${port}\n`);
});
