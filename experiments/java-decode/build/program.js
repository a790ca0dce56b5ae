import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @import { BuildContext, BuiltVariant } from '../../../harness/formats/types.ts' */

/** The newest pinned version of the library, used by the composed inputs. */
const NEWEST = '5.14.0';

/** Jars of every variant, besides the library. */
const COMPANIONS = /^(?:netty-(?:buffer|common)|json)-/;

/**
 * A small young generation, which the warm-up fills many times, touched before the first call: in a
 * virtual machine the host allocates a page on first touch, and with an untouched gigabyte one
 * process in ten was ten times slower. Surviving objects are promoted at the second collection;
 * otherwise the first fifteen collections copy them, which takes 3 ms each instead of 0.3, and a
 * variant that allocates slowly would still do so in its batches. The serial collector runs on the
 * measured thread, so its time is part of the wall time and it does not use a second core. Netty's
 * leak detection, which wraps one of 128 buffers at random, is off.
 */
export const JVM_FLAGS = [
  '-XX:+UseSerialGC',
  '-Xms256m',
  '-Xmx2g',
  '-Xmn128m',
  '-XX:+AlwaysPreTouch',
  '-XX:MaxTenuringThreshold=1',
  '-XX:-UsePerfData',
  '-Dio.netty.leakDetection.level=disabled',
];

/**
 * Keeps frame pointers for stack walking and writes the names of compiled methods to the file that
 * `perf` reads when the JVM ends.
 */
export const RECORDING_FLAGS = [
  '-XX:+PreserveFramePointer',
  '-XX:+UnlockDiagnosticVMOptions',
  '-XX:+DumpPerfMapAtExit',
];

/**
 * Counting instructions has no warm-up, so compilation must be deterministic: one compiler, in the
 * foreground.
 */
export const COUNTING_FLAGS = ['-Xbatch', '-XX:-TieredCompilation'];

/** @type {(variant: BuiltVariant) => string} class path with one version of the library */
export function listClassPath({ buildPath, packagePath, settings }) {
  const jarsPath = join(buildPath, 'jars');
  const library = packagePath === null ? nameLibrary(jarsPath, settings.library ?? NEWEST) : [];
  const brought = packagePath === null ? [] : listJars(packagePath, /./);
  const paths = [join(buildPath, 'classes'), ...library, ...brought];
  return [...paths, ...listJars(jarsPath, COMPANIONS)].join(delimiter);
}

/** @param {string} jarsPath @param {string} version */
function nameLibrary(jarsPath, version) {
  return ['bson', 'mongodb-driver-core'].map((name) => join(jarsPath, `${name}-${version}.jar`));
}

/** @param {string} folder @param {RegExp} pattern */
function listJars(folder, pattern) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jar') && pattern.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/**
 * Compiles the worker against the newest version of the library; all versions have the API that it
 * uses.
 * @param {Pick<BuildContext, 'familyPath' | 'outputPath' | 'run'>} context `outputPath` has the
 *   jars in `jars/` and receives `classes/`
 * @throws {import('../../../harness/lib/errors.js').MachineError} when the compiler fails
 */
export async function compileProgram({ familyPath, outputPath, run }) {
  const classPath = listClassPath({ buildPath: outputPath, packagePath: null, settings: {} });
  const sources = listSources(join(familyPath, 'program', 'assay'));
  await run('javac', [
    '--release',
    '17',
    '-encoding',
    'UTF-8',
    '-d',
    join(outputPath, 'classes'),
    '-cp',
    classPath,
    ...sources,
  ]);
}

/** @type {(folder: string) => string[]} absolute paths */
export function listSources(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.java'))
    .map((name) => join(folder, name));
}
