import { expect, test } from '@jest/globals';
import { tmpdir } from 'node:os';
import { pickBuildVariables, runBuildCommand } from './build-checkout.js';

test('a command that succeeds is no failure', async () => {
  expect(await runBuildCommand('test -d .', tmpdir())).toBeNull();
});

test('the first and the last lines are kept, without colours', async () => {
  const command = `for n in $(seq 50); do printf '\\033[31mline %s\\033[0m\\r\\n' $n; done; exit 7`;
  const failure = await runBuildCommand(command, tmpdir());
  expect(failure?.detail).toBe('ended with exit status 7');
  expect(failure?.lines).toEqual([
    ...[1, 2, 3, 4].map((n) => `line ${n}`),
    '…',
    ...[43, 44, 45, 46, 47, 48, 49, 50].map((n) => `line ${n}`),
  ]);
});

test('a command that takes too long is ended with all that it started', async () => {
  const failure = await runBuildCommand('sleep 60 & sleep 60', tmpdir(), { timeoutMs: 50 });
  expect(failure?.detail).toBe('timed out after 0.05 s');
});

test('a daemon that it leaves behind with its pipes is not waited for', async () => {
  expect(await runBuildCommand('setsid sleep 8 & sleep 0.1', tmpdir())).toBeNull();
});

test('a signal ends it', async () => {
  const interrupts = new AbortController();
  const ended = runBuildCommand('sleep 60', tmpdir(), { signal: interrupts.signal });
  interrupts.abort();
  expect((await ended)?.detail).toBe('was interrupted');
});

test('it sees the way to the registry and no tokens', () => {
  const kept = { PATH: '/bin', npm_config_registry: 'r', NPM_CONFIG_CACHE: 'c', HTTPS_PROXY: 'p' };
  const dropped = {
    NPM_TOKEN: 't',
    'npm_config_//registry/:_authToken': 't',
    npm_config__auth: 't',
    npm_config_omit: 'dev',
    NODE_OPTIONS: '--require x',
    NODE_ENV: 'production',
    GIT_DIR: '/elsewhere',
  };
  expect(pickBuildVariables({ ...kept, ...dropped })).toEqual(kept);
});
