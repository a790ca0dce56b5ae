/** Probes and installs tools with fake programs in PATH. */

import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MachineError } from '../../../lib/errors.js';
import { PROJECT } from '../../../lib/project.js';
import { fakePrograms } from '../test-support/fake-programs.js';
import {
  explainFailure,
  inlinePage,
  installTool,
  locateTool,
  probePackage,
  probePerf,
  probeProgram,
  sealPage,
} from './tools.js';

const PACKAGE = { name: 'tool', version: '1.2.3', sizeMB: 9 };

/** @type {ReturnType<typeof fakePrograms>} */
let fakes;
afterEach(() => fakes?.remove());

/** @param {Record<string, string>} programs */
function makeHost(programs) {
  fakes = fakePrograms(programs);
  return fakes.host;
}

describe('a program of the system', () => {
  test('is available with its version', async () => {
    const host = makeHost({ gauge: 'echo gauge-3.19.0' });
    expect(await probeProgram('gauge', host)).toEqual({ available: true, detail: 'gauge 3.19.0' });
  });

  test('is unavailable with an installation command', async () => {
    expect(await probeProgram('gauge', makeHost({}))).toEqual({
      available: false,
      reason: 'gauge is not installed',
      install: 'apt-get install gauge',
    });
  });

  test('is unavailable if it is broken', async () => {
    const host = makeHost({ gauge: 'exit 1' });
    expect(await probeProgram('gauge', host)).toMatchObject({
      available: false,
      reason: expect.stringContaining('prints no version'),
    });
  });
});

describe('a package of npm', () => {
  test('is available with its version', async () => {
    const host = makeHost({});
    mkdirSync(locateTool('tool', '1.2.3', host), { recursive: true });
    expect(await probePackage({ ...PACKAGE, note: 'old' }, host)).toEqual({
      available: true,
      detail: 'tool 1.2.3; old',
    });
  });

  test('that npm can install is available', async () => {
    expect(await probePackage(PACKAGE, makeHost({ npm: 'exit 1' }))).toEqual({
      available: true,
      detail: 'installed on first use (tool 1.2.3, 9 MB)',
    });
  });

  test('is unavailable without npm', async () => {
    expect(await probePackage(PACKAGE, makeHost({}))).toMatchObject({
      available: false,
      install: 'apt-get install npm',
    });
  });
});

describe('perf', () => {
  const VERSION = '[ "$1" = --version ] && { echo perf version 6.1.187; exit; };';

  test('is available if it counts', async () => {
    const host = makeHost({ perf: `${VERSION} echo "0.76,msec,cpu-clock:u,761235,100.00,," >&2` });
    expect(await probePerf(host)).toEqual({
      available: true,
      detail: 'perf 6.1.187, sampling by the software clock',
    });
  });

  test('is unavailable if its event is not supported, despite exit status 0', async () => {
    const host = makeHost({
      perf: `${VERSION} echo "<not supported>,,cpu-clock:u,0,100.00,," >&2`,
    });
    expect(await probePerf(host)).toMatchObject({
      available: false,
      reason: 'the kernel does not support the cpu-clock event',
    });
  });

  test('is unavailable with an installation command', async () => {
    expect(await probePerf(makeHost({}))).toMatchObject({ install: 'apt-get install linux-perf' });
  });

  test.each([
    ['E: linux-perf-6.18 is not installed.', null, 'no build for the running kernel'],
    ['WARNING: perf not found for kernel 6.8.0-40', 2, 'no build for the running kernel'],
    ['Access to performance monitoring: perf_event_paranoid is 4', 4, 'perf_event_paranoid is 4;'],
    ['Error: Operation not permitted', 2, 'a container needs --cap-add PERFMON'],
    ['Error: the moon is full', 2, 'perf fails: Error: the moon is full'],
  ])('explains: %s', (output, paranoia, reason) => {
    expect(explainFailure(output, paranoia).reason).toContain(reason);
  });
});

/** Writes its arguments to the directory after `--prefix`. */
const NPM = `
while [ "$1" != --prefix ]; do words="$words $1"; shift; done
echo "$words $3 [$NODE_OPTIONS]" > "$2/said"
`;

test('the exact version is installed once, without scripts and NODE_OPTIONS', async () => {
  fakes = fakePrograms({ npm: NPM });
  const host = { ...fakes.host, environment: { ...fakes.host.environment, NODE_OPTIONS: '-p' } };
  const home = await installTool('@a/tool', '1.2.3', host);
  expect(home).toBe(join(host.toolsPath, '@a+tool@1.2.3'));
  expect(readFileSync(join(home, 'said'), 'utf8')).toMatch(
    /^ install --ignore-scripts .*@a\/tool@1\.2\.3 \[\]$/m,
  );
});

test('an installed package is not installed again', async () => {
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

describe('a page of a tool', () => {
  const SCRIPT = '<script src="b.js" type="text/javascript"></script>';

  test('gets its style sheets and scripts embedded', () => {
    const html = `<link href="a.css" rel="stylesheet" /><p>text</p>${SCRIPT}`;
    expect(inlinePage(html, (name) => `/* ${name} */`)).toBe(
      '<style>/* a.css */</style><p>text</p><script>/* b.js */</script>',
    );
    expect(inlinePage(SCRIPT, () => "'$&$1'")).toBe("<script>'$&$1'</script>");
  });

  test.each(['</script>', '<SCRIPT', '<!--'])(
    'is not changed by %s in an embedded script',
    (markup) => {
      const page = inlinePage(SCRIPT, () => `text = "${markup}";`);
      expect(page.match(/<[/!s]/gi)).toEqual(['<s', '</']);
      const [, program] = /** @type {RegExpExecArray} */ (/<script>(.*)<\/script>/.exec(page));
      expect(new Function(`let text; ${program} return text;`)()).toBe(markup);
    },
  );

  test('is sealed: it loads nothing, keeps links, and its paths are relative to the checkout', () => {
    const { projectPath } = PROJECT;
    const sealed = sealPage(
      '<html><head><title>a</title></head><script>load("https://example.org/fonts.css")</script>' +
        `<a href="https://example.org/guide">run file://${projectPath}/a.js:1:2, ${projectPath}/b.js:3</a>`,
    );
    expect(sealed).toContain(
      '<head><meta http-equiv="Content-Security-Policy" content="default-src',
    );
    expect(sealed).toContain('load("data:text/css,")');
    expect(sealed).toContain('<a href="https://example.org/guide">run a.js:1:2, b.js:3</a>');
  });
});
