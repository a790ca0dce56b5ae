/** @import { PackagedRuntime } from '../../formats/types.ts' */

const LIBRARY = process.platform === 'linux' ? '-glibc' : '';

/** @type {PackagedRuntime} */
export const runtime = {
  packageName: `@deno/${process.platform}-${process.arch}${LIBRARY}`,
  programPath: process.platform === 'win32' ? 'deno.exe' : 'deno',
  example: '2.9 or 2.9.6',
  versionsArguments: ['eval', 'console.log(JSON.stringify(process.versions))'],
  nameEngine: ({ v8 }) => `V8 ${v8}`,
  // Modules of Node, like under Node itself; nothing is fetched, and no settings of the directory are read.
  listArguments: (flags) => [
    'run',
    '--allow-all',
    '--no-config',
    '--no-lock',
    '--no-remote',
    '--node-modules-dir=manual',
    '--no-code-cache',
    ...(flags.length === 0 ? [] : [`--v8-flags=${flags.join(',')}`]),
  ],
  capabilities: [
    'v8-flags',
    'v8-log',
    'v8-natives',
    'pairs',
    'placements',
    'heap-size',
    'collections',
    'cpu-profile',
    'heap-profile',
    'heap-snapshot',
  ],
};
