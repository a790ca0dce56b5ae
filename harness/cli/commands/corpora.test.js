import { pid } from 'node:process';
import { gzipSync } from 'node:zlib';
import { EXIT } from '../../lib/errors.js';
import { callAssay } from '../../testing/support/project.js';

const name = `piped-${pid}`;

afterAll(() => callAssay(['corpora', 'remove', name]));

test('documents of standard input are imported, shown, imported again and removed', async () => {
  const input = gzipSync('{"a":{"$date":1}}\n{"b":1e999}');
  const importAgain = () => callAssay(['corpora', 'import', name, '-'], { input });
  const first = await importAgain();
  expect(first).toMatchObject({ status: EXIT.done, stderr: '' });
  expect(first.stdout).toContain(`${name}: Extended JSON, 2 documents`);
  expect(first.stdout).toMatch(/^note: document 2, .* at b: 1e999 became/m);
  expect((await importAgain()).stdout).toContain('The corpus had the same documents');
  const shown = await callAssay(['corpora', name]);
  expect(shown.stdout).toContain('imported from standard input (Extended JSON)');
  const removed = await callAssay(['corpora', 'remove', name]);
  expect(removed).toEqual({ status: EXIT.done, stdout: `${name} was removed.\n`, stderr: '' });
  expect((await callAssay(['corpora', name])).status).toBe(EXIT.usage);
});

test.each([
  ['a value that changes, under --strict', [name, '-', '--strict'], 'which --strict refuses'],
  ['a subcommand as the name', ['list', '-'], "'list' is a word of 'just corpora'"],
])('the import of %s is refused', async (_what, args, message) => {
  const input = Buffer.from('{"b":1e999}');
  const { status, stderr } = await callAssay(['corpora', 'import', ...args], { input });
  expect(stderr).toContain(message);
  expect(status).toBe(EXIT.usage);
});
