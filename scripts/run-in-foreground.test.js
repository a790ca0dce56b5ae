import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const SCRIPT = new URL('run-in-foreground.sh', import.meta.url).pathname;
/** Takes a moment to exit after Ctrl-C, as a comparison that writes its report does. */
const COMMAND = `
  process.on('SIGINT', () => setTimeout(() => {
    console.log('report written');
    process.exit(130);
  }, 50));
  setInterval(() => {}, 1000);
  console.log('ready');
`;
/** Exits at once, as npx does. Its `exit` precedes the report unless Ctrl-C does not reach it. */
const WRAPPER = `
  trap 'echo wrapper interrupted; exit 1' INT
  sh "$SCRIPT" node -e "$COMMAND"
  echo "wrapper saw $?"
`;
// `script` of util-linux, which Debian always has, provides a terminal.
const hasTerminal = spawnSync('script', ['--version']).status === 0;
const testInTerminal = hasTerminal && process.platform === 'linux' ? test : test.skip;

/**
 * @param {string} key to press when the command is ready
 * @returns {Promise<string>} the output on the terminal
 */
function runInTerminal(key) {
  const env = { ...process.env, SCRIPT, COMMAND, WRAPPER };
  const child = spawn('script', ['-qec', 'sh -c "$WRAPPER"', '/dev/null'], { env });
  let shown = '';
  let isPressed = false;
  child.stdout.on('data', (chunk) => {
    shown += chunk;
    if (isPressed || !shown.includes('ready')) return;
    isPressed = true;
    child.stdin.write(key);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve(shown));
  });
}

describe('run-in-foreground.sh', () => {
  testInTerminal('lets Ctrl-C reach the command alone, and waits for its end', async () => {
    const shown = await runInTerminal('\x03');
    expect(shown).toMatch(/report written\s+wrapper saw 130/);
    expect(shown).not.toContain('wrapper interrupted');
  });

  test('replaces itself with the command without a terminal', () => {
    const { stdout, status, stderr } = spawnSync('sh', [SCRIPT, 'sh', '-c', 'echo "$$"; exit 3']);
    expect({ status, stderr: String(stderr) }).toEqual({ status: 3, stderr: '' });
    expect(String(stdout)).toMatch(/^\d+\n$/);
  });

  test('is used by every recipe that runs Assay', () => {
    const justfile = readFileSync(new URL('../Justfile', import.meta.url), 'utf8');
    const lines = justfile.split('\n').filter((line) => /^ .*(\.js\b|\bassay\b)/.test(line));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !/{{ (assay|in_foreground) }}/.test(line))).toEqual([]);
  });
});
