import { createHash } from 'node:crypto';

/**
 * Output of an operation as one byte string: for every document its length (uint32, little endian)
 * and its bytes.
 *
 * @param {Uint8Array[]} frames one per document
 * @returns {Uint8Array}
 */
export function encodeFrames(frames) {
  return Buffer.concat(frames.flatMap((frame) => [encodeLength(frame), frame]));
}

/**
 * @param {Uint8Array} bytes output of `encodeFrames`
 * @returns {Uint8Array[]}
 * @throws {RangeError} when the bytes end within a frame
 */
export function decodeFrames(bytes) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames = [];
  for (let offset = 0; offset < buffer.length;) {
    const start = offset + 4;
    const end = start + buffer.readUInt32LE(offset);
    if (end > buffer.length) throw new RangeError(`frame ${frames.length} ends after the data`);
    frames.push(buffer.subarray(start, end));
    offset = end;
  }
  return frames;
}

/** @param {Uint8Array[]} frames @returns {string} `sha256:…` of the encoded frames */
export function digestFrames(frames) {
  const hash = createHash('sha256');
  for (const frame of frames) hash.update(encodeLength(frame)).update(frame);
  return `sha256:${hash.digest('hex')}`;
}

/** @type {(frame: Uint8Array) => Uint8Array} */
function encodeLength(frame) {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(frame.length);
  return length;
}
