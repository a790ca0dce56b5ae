import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FormatError } from '../../../harness/lib/errors.js';
import { digestJar, resolveJars, resolveLockedJars } from './resolve-jars.js';

const COORDINATES = 'org.mongodb:bson:5.5.0';

let outputPath = '';
/** @type {{ args: string[], pom: string }[]} */
let runs = [];

beforeEach(() => {
  outputPath = mkdtempSync(join(tmpdir(), 'assay-jars-'));
  runs = [];
});

afterEach(() => rmSync(outputPath, { recursive: true }));

/** A context whose Maven writes a jar with the content `jar`. */
function fakeContext() {
  return {
    outputPath,
    downloadsPath: '/downloads',
    /** @param {string} program  @param {string[]} args */
    async run(program, args) {
      runs.push({
        args: [program, ...args],
        pom: readFileSync(join(outputPath, 'pom.xml'), 'utf8'),
      });
      writeFileSync(join(outputPath, 'bson-5.5.0.jar'), 'jar');
      return '';
    },
  };
}

test('Maven downloads exactly the coordinates, with strict checksums', async () => {
  await resolveJars([COORDINATES], fakeContext());
  const [{ args, pom } = { args: [], pom: '' }] = runs;
  expect(runs).toHaveLength(1);
  expect(args[0]).toBe('mvn');
  expect(args).toContain('--strict-checksums');
  expect(args).toContain('-Dmaven.repo.local=/downloads/maven');
  expect(pom).toContain(
    '<artifactItem><groupId>org.mongodb</groupId><artifactId>bson</artifactId><version>5.5.0</version></artifactItem>',
  );
});

test('a jar that matches the lock file is accepted', async () => {
  writeFileSync(join(outputPath, 'expected'), 'jar');
  const lock = { [COORDINATES]: digestJar(join(outputPath, 'expected')) };
  await expect(resolveLockedJars(lock, fakeContext())).resolves.toBeUndefined();
});

test('another jar is rejected with its name and both digests', async () => {
  const attempt = resolveLockedJars({ [COORDINATES]: 'sha256-locked' }, fakeContext());
  await expect(attempt).rejects.toThrow(FormatError);
  await expect(attempt).rejects.toThrow(
    /^bson-5\.5\.0\.jar does not match jars\.lock\.json: expected sha256-locked, found sha256-.{44}$/,
  );
});
