import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @import { BuiltVariant } from '../../../harness/types.ts' */

/** Newest version of the library that is pinned; this family's own inputs are read through it. */
const NEWEST = '5.14.0';

/** Jars that are beside the library in every variant. */
const COMPANIONS = /^(?:netty-(?:buffer|common)|json)-/;

/**
 * A heap of fixed size, whose young part is large enough for most batches to have no collection in
 * them, as that of a JVM with its own choice of a heap would be. The serial collector works on the
 * measured thread alone: what it takes is in the wall time, and none of its threads takes the second
 * of two cores. Netty would wrap one buffer in 128, drawn by lot, to find leaks.
 */
export const JVM_FLAGS = [
  '-XX:+UseSerialGC',
  '-Xms2g',
  '-Xmx2g',
  '-Xmn1g',
  '-XX:-UsePerfData',
  '-Dio.netty.leakDetection.level=disabled',
];

/** Stacks can be walked by their frame pointers, and the names of compiled methods are left in a file
 * when the JVM ends, where `perf` looks for them. */
export const RECORDING_FLAGS = [
  '-XX:+PreserveFramePointer',
  '-XX:+UnlockDiagnosticVMOptions',
  '-XX:+DumpPerfMapAtExit',
];

/**
 * @param {BuiltVariant} variant
 * @returns {string} class path with one version of the library
 */
export function listClassPath({ buildPath, packagePath, settings }) {
  const jarsPath = join(buildPath, 'jars');
  const library = packagePath === null ? nameLibrary(jarsPath, settings.library ?? NEWEST) : [];
  const brought = packagePath === null ? [] : listJars(packagePath, /./);
  const paths = [join(buildPath, 'classes'), ...library, ...brought];
  return [...paths, ...listJars(jarsPath, COMPANIONS)].join(delimiter);
}

/**
 * @param {string} jarsPath
 * @param {string} version
 */
function nameLibrary(jarsPath, version) {
  return ['bson', 'mongodb-driver-core'].map((name) => join(jarsPath, `${name}-${version}.jar`));
}

/**
 * @param {string} folder
 * @param {RegExp} pattern
 */
function listJars(folder, pattern) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jar') && pattern.test(name))
    .sort()
    .map((name) => join(folder, name));
}
