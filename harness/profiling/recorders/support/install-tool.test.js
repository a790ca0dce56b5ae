import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { MachineError } from '../../../lib/errors.js';
import { fakePrograms } from '../test-support/fake-programs.js';
import { installTool } from './install-tool.js';

/** Leaves its arguments where the package would be: after `--prefix`. */
const NPM = `
while [ "$1" != --prefix ]; do words="$words $1"; shift; done
echo "$words $3 [$NODE_OPTIONS]" > "$2/said"
`;

/** @type {ReturnType<typeof fakePrograms>} */
let fakes;
afterEach(() => fakes.remove());

test('the exact version is installed once, without scripts and options of node', async () => {
  fakes = fakePrograms({ npm: NPM });
  const host = { ...fakes.host, environment: { ...fakes.host.environment, NODE_OPTIONS: '-p' } };
  const home = await installTool('@a/tool', '1.2.3', host);
  expect(home).toBe(join(host.toolsPath, '@a+tool@1.2.3'));
  expect(readFileSync(join(home, 'said'), 'utf8')).toMatch(
    /^ install --ignore-scripts .*@a\/tool@1\.2\.3 \[\]$/m,
  );
});

test('what is there is not installed again', async () => {
  fakes = fakePrograms({ npm: NPM });
  const home = await installTool('tool', '1.2.3', fakes.host);
  const elsewhere = { ...fakes.host, environment: { PATH: '/nowhere' } };
  expect(await installTool('tool', '1.2.3', elsewhere)).toBe(home);
});

test('a failure leaves nothing behind and names the command', async () => {
  fakes = fakePrograms({ npm: 'echo "npm error code E404" >&2; exit 1' });
  const install = installTool('tool', '1.2.3', fakes.host);
  await expect(install).rejects.toThrow(MachineError);
  await expect(install).rejects.toMatchObject({
    message: 'npm could not install tool@1.2.3: npm error code E404',
    remedy: expect.stringMatching(/npm install --ignore-scripts .*tool@1\.2\.3$/),
  });
  expect(existsSync(fakes.host.toolsPath)).toBe(true);
  expect(readdirSync(fakes.host.toolsPath)).toEqual([]);
});
