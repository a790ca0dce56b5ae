import { Readable } from 'node:stream';
import { UsageError } from '../lib/errors.js';
import { readStandardInput } from './input.js';

const io = { stdin: () => Readable.from([Buffer.from('ab'), Buffer.from('c')]) };

test('all of standard input is read, up to a limit', async () => {
  expect((await readStandardInput(io, 3)).toString()).toBe('abc');
  await expect(readStandardInput(io, 2)).rejects.toThrow(UsageError);
});

test('a terminal is not waited for', async () => {
  const terminal = Object.assign(Readable.from([]), { isTTY: true });
  const attempt = readStandardInput({ stdin: () => terminal }, 3);
  await expect(attempt).rejects.toThrow('standard input is a terminal');
});
