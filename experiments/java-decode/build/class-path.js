import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @import { BuiltVariant } from '../../../harness/formats/types.ts' */

/** Newest version of the library that is pinned; this family's own inputs are read through it. */
const NEWEST = '5.14.0';

/** Jars that are beside the library in every variant. */
const COMPANIONS = /^(?:netty-(?:buffer|common)|json)-/;

/**
 * A young generation that the warm-up goes through many times, all of it touched before the first call:
 * in a virtual machine the first touch of a page is the host's work, and with a gigabyte of pages never
 * touched one process in ten ran at a tenth of its pace. What lives on leaves it at the second
 * collection: else the first fifteen copy it again, for 3 ms each in place of 0.3, and a variant that
 * allocates slowly would still be among those when its batches begin. The serial collector works on the
 * measured thread alone: what it takes is in the wall time, and none of its threads takes the second of
 * two cores. Netty would wrap one buffer in 128, drawn by lot, to find leaks.
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

/** Stacks can be walked by their frame pointers, and the names of compiled methods are left in a file
 * when the JVM ends, where `perf` looks for them. */
export const RECORDING_FLAGS = [
  '-XX:+PreserveFramePointer',
  '-XX:+UnlockDiagnosticVMOptions',
  '-XX:+DumpPerfMapAtExit',
];

/** Where instructions are counted there is no warm-up, so what is compiled when has to hold still: one
 * compiler, which the program waits for. */
export const COUNTING_FLAGS = ['-Xbatch', '-XX:-TieredCompilation'];

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
