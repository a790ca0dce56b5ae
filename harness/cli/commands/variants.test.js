import { EXIT } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { listFamilies } from '../../variants/families.js';
import { callAssay } from '../../testing/support/project.js';

test('the name of a family lists its variants, a line each, and operations alone', async () => {
  const [family, other] = await listFamilies(PROJECT.experimentsPath);
  const { status, stdout, stderr } = await callAssay(['variants', family.name]);
  expect({ status, stderr }).toEqual({ status: EXIT.done, stderr: '' });
  const lines = stdout.split('\n');
  for (const name of family.variants)
    expect(lines.filter((line) => line.startsWith(` ${name} `))).toHaveLength(1);
  for (const name of family.operations) expect(stdout).toContain(name);
  expect(stdout).not.toContain(`${other.name}:`);
});

test('with --full it has the texts of a family whole', async () => {
  const [family] = await listFamilies(PROJECT.experimentsPath);
  const { stdout } = await callAssay(['variants', family.name, '--full']);
  for (const name of [...family.variants, ...family.operations])
    expect(stdout).toMatch(new RegExp(`^${name} `, 'm'));
  expect(stdout).not.toContain('…');
});

test('an unknown name is refused with the nearest one', async () => {
  const [{ name }] = await listFamilies(PROJECT.experimentsPath);
  const { status, stderr } = await callAssay(['variants', `${name}x`]);
  expect(stderr).toContain(`no variant or family '${name}x'; did you mean '${name}'?`);
  expect(status).toBe(EXIT.usage);
});
