import { hashWith, isBytes, takeBytes } from './bound.js';
import { describeValue } from './describe-value.js';

/**
 * A frame is what an operation outputs for one document. Byte arrays are frames as they are. Anything else, such as a
 * string or an object, becomes a frame of another kind, with its description: it is not equal to bytes, whatever they are.
 *
 * @typedef {object} Frame
 * @property {'bytes' | 'value'} kind
 * @property {Uint8Array} bytes of a value, its description (`describeValue`)
 */

/** Added to the length of a frame that is not bytes. */
const VALUE_FLAG = 0x8000_0000;

/**
 * Output of an operation as one byte string: for every document the length of its frame (uint32, little endian), and
 * the frame.
 *
 * @param {unknown[]} output a value per document
 * @returns {Uint8Array}
 */
export function encodeFrames(output) {
  return Buffer.concat(output.map(toFrame).flatMap((frame) => [encodeHeader(frame), frame.bytes]));
}

/**
 * @param {Uint8Array} bytes output of `encodeFrames`
 * @returns {Frame[]}
 * @throws {RangeError} when the bytes end within a frame
 */
export function decodeFrames(bytes) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** @type {Frame[]} */
  const frames = [];
  for (let offset = 0; offset < buffer.length;) {
    const header = buffer.readUInt32LE(offset);
    const start = offset + 4;
    const end = start + (header % VALUE_FLAG);
    if (end > buffer.length) throw new RangeError(`frame ${frames.length} ends after the data`);
    frames.push({
      kind: header < VALUE_FLAG ? 'bytes' : 'value',
      bytes: buffer.subarray(start, end),
    });
    offset = end;
  }
  return frames;
}

/** @param {unknown[]} output a value per document @returns {string} `sha256:…` of the encoded frames */
export function digestFrames(output) {
  const hash = hashWith('sha256');
  for (let index = 0; index < output.length; index++) {
    const frame = toFrame(output[index]);
    hash.update(encodeHeader(frame)).update(frame.bytes);
  }
  return `sha256:${hash.digest('hex')}`;
}

/** @type {(one: unknown, other: unknown) => boolean} whether both are of one type and equal */
export function isSameFrame(one, other) {
  const [frame, expected] = [one, other].map(toFrame);
  return frame.kind === expected.kind && Buffer.compare(frame.bytes, expected.bytes) === 0;
}

/** @type {(value: unknown) => Frame} */
function toFrame(value) {
  const bytes = takeBytes(value);
  if (isBytes(bytes)) return { kind: 'bytes', bytes };
  return { kind: 'value', bytes: Buffer.from(describeValue(bytes)) };
}

/** @type {(frame: Frame) => Uint8Array} */
function encodeHeader({ kind, bytes }) {
  const header = Buffer.alloc(4);
  header.writeUInt32LE(bytes.length + (kind === 'bytes' ? 0 : VALUE_FLAG));
  return header;
}
