import { EXIT } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { listFamilies } from '../../variants/families.js';
import { callAssay } from '../../testing/support/project.js';

test('the name of a family lists its variants and operations alone', async () => {
  const [family, other] = await listFamilies(PROJECT.experimentsPath);
  const { status, stdout, stderr } = await callAssay(['variants', family.name]);
  expect({ status, stderr }).toEqual({ status: EXIT.done, stderr: '' });
  for (const name of [...family.variants, ...family.operations])
    expect(stdout).toMatch(new RegExp(`^${name} `, 'm'));
  expect(stdout).not.toContain(`${other.name}:`);
});

test('an unknown name is refused with the nearest one', async () => {
  const [{ name }] = await listFamilies(PROJECT.experimentsPath);
  const { status, stderr } = await callAssay(['variants', `${name}x`]);
  expect(stderr).toContain(`no variant or family '${name}x'; did you mean '${name}'?`);
  expect(status).toBe(EXIT.usage);
});
