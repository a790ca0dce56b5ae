/** Variants of BSON that go wrong as a script says, for families that take a module by its path. */

import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'bson';

export * from 'bson';

/**
 * @typedef {object} CodecScript
 * @property {'wrong-bytes' | 'throws' | 'dies' | 'hangs'} [behaviour] none where not given
 * @property {number} [afterCalls] good calls first, as of code that is miscompiled once it is hot
 * @property {number} [inputBytes] length of the only documents for which `deserialize` goes wrong; without
 *   it `serialize` goes wrong
 * @property {string} [prints] written to standard output on loading, where the report goes
 */

/**
 * Writes a module that does what the script says and is otherwise BSON.
 *
 * @param {string} directory
 * @param {string} name
 * @param {CodecScript} script
 * @returns {string} path of the module
 */
export function writeCodec(directory, name, script) {
  const path = join(directory, `${name}.js`);
  const lines = [
    `import { openCodec } from '${import.meta.url}';`,
    `export * from '${import.meta.url}';`,
    `export const { serialize, deserialize } = openCodec(${JSON.stringify(script)});`,
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** @param {CodecScript} script */
export function openCodec({ behaviour, afterCalls = 0, inputBytes, prints }) {
  if (prints !== undefined) console.log(prints);
  let calls = 0;
  return {
    /** @type {typeof serialize} */
    serialize(document, options) {
      calls += 1;
      const isGood = inputBytes !== undefined || calls <= afterCalls;
      if (!isGood) misbehave(behaviour);
      const bytes = serialize(document, options);
      if (!isGood && behaviour === 'wrong-bytes') bytes[bytes.length >> 1] += 1;
      return bytes;
    },
    /** @type {typeof deserialize} */
    deserialize(bytes, options) {
      if (bytes.length === inputBytes) misbehave(behaviour);
      return deserialize(bytes, options);
    },
  };
}

/** @param {CodecScript['behaviour']} behaviour */
function misbehave(behaviour) {
  if (behaviour === 'throws') throw new TypeError('\u001b[31mno documents today');
  if (behaviour === 'dies') {
    writeSync(2, 'dying now\n');
    process.kill(process.pid, 'SIGKILL');
  }
  // Blocks without using a core.
  if (behaviour === 'hangs') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
