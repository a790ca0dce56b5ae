import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** @import { PackagedRuntime } from '../../formats/types.ts' */

const PLATFORM = process.platform === 'win32' ? 'windows' : process.platform;
const ARCHITECTURE = process.arch === 'arm64' ? 'aarch64' : process.arch;
const LIBRARY = existsSync(`/lib/ld-musl-${ARCHITECTURE === 'x64' ? 'x86_64' : ARCHITECTURE}.so.1`)
  ? '-musl'
  : '';
/** Digits of the revision of WebKit, which has no versions. */
const REVISION_DIGITS = 12;

/** @type {PackagedRuntime} */
export const runtime = {
  packageName: `@oven/bun-${PLATFORM}-${ARCHITECTURE}${LIBRARY}`,
  programPath: join('bin', PLATFORM === 'windows' ? 'bun.exe' : 'bun'),
  example: '1.4 or 1.4.5',
  versionsArguments: ['--print', 'JSON.stringify(process.versions)'],
  nameEngine: ({ webkit }) => `JavaScriptCore ${webkit.slice(0, REVISION_DIGITS)}`,
  // Neither settings nor packages from elsewhere, and no flags of V8.
  listArguments: () => ['--no-install', '--no-env-file', '--config=/dev/null', '--expose-gc'],
  capabilities: ['pairs', 'placements', 'heap-size', 'cpu-profile'],
};
