import { ObjectId, deserialize, serialize } from 'bson';
import { describeValue } from '../../../harness/worker/describe-value.js';
import { bytesOfId, idOfBytes } from './object-ids.js';

const HEX = '0123456789abcdef01234567';
const BYTES = Buffer.from(`ff${HEX}ff`, 'hex');

test.each([
  ['a Buffer', () => Buffer.from(BYTES)],
  ['a Uint8Array', () => new Uint8Array(BYTES)],
])('an ObjectId of %s has the value that was written, and keeps it', (_, makeMessage) => {
  const message = makeMessage();
  const id = idOfBytes(message.subarray(1, -1));
  message.fill(0);
  expect(describeValue(id)).toBe(describeValue(new ObjectId(HEX)));
});

test('an ObjectId is stored like one that the reader of BSON returns', () => {
  const read = deserialize(serialize({ id: new ObjectId(HEX) }));
  const [own, other] = [idOfBytes(BYTES.subarray(1, -1)), read.id].map(bytesOfId);
  expect(own.constructor).toBe(other.constructor);
  expect(own.buffer.byteLength).toBe(other.buffer.byteLength);
});
