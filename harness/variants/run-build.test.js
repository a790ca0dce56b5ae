import { pickBuildVariables, runBuildCommand } from './run-build.js';
import { makeTestDirectory } from '../testing/support/directories.js';

const room = makeTestDirectory('run-build');

describe('a build command', () => {
  test('that succeeds has no failure', async () => {
    expect(await runBuildCommand('test -d .', room)).toBeNull();
  });

  test('that fails is quoted by its first and last lines, without colours', async () => {
    const command = `for n in $(seq 50); do printf '\\033[31mline %s\\033[0m\\r\\n' $n; done; exit 7`;
    expect(await runBuildCommand(command, room)).toEqual({
      detail: 'ended with exit status 7',
      lines: [1, 2, 3, 4, '…', 43, 44, 45, 46, 47, 48, 49, 50].map((n) =>
        n === '…' ? n : `line ${n}`,
      ),
    });
  });

  test('that takes too long is killed with its descendants', async () => {
    const failure = await runBuildCommand('sleep 60 & sleep 60', room, { timeoutMs: 50 });
    expect(failure?.detail).toBe('timed out after 0.05 s');
  });

  test('is ended by a signal', async () => {
    const interrupts = new AbortController();
    const ended = runBuildCommand('sleep 60', room, { signal: interrupts.signal });
    interrupts.abort();
    expect((await ended)?.detail).toBe('was interrupted');
  });

  test('gets the settings of the registry and no tokens', () => {
    const kept = {
      PATH: '/bin',
      npm_config_registry: 'r',
      NPM_CONFIG_CACHE: 'c',
      YARN_NPM_REGISTRY_SERVER: 'r',
      HTTPS_PROXY: 'p',
    };
    const dropped = {
      NPM_TOKEN: 't',
      YARN_NPM_AUTH_TOKEN: 't',
      'npm_config_//registry/:_authToken': 't',
      npm_config__auth: 't',
      npm_config_omit: 'dev',
      NODE_OPTIONS: '--require x',
      NODE_ENV: 'production',
      GIT_DIR: '/elsewhere',
    };
    expect(pickBuildVariables({ ...kept, ...dropped })).toEqual(kept);
  });
});
