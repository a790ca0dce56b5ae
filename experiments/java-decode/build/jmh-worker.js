import { mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { worker } from '../worker.js';
import { listClassPath } from './class-path.js';
import { listSources } from './compile-program.js';
import { readJarLock, resolveLockedJars } from './resolve-jars.js';

/** @import { FamilyWorker } from '../../../harness/formats/types.ts' */

/**
 * Generates the code around a benchmark. Named explicitly, because compilers from JDK 23 on do not
 * search for annotation processors.
 */
const PROCESSOR = 'org.openjdk.jmh.generators.BenchmarkProcessor';

/**
 * The build for JMH, in addition to the worker.
 *
 * @param {string} programPath path of the worker's build
 * @returns {FamilyWorker} that creates `classes/` and `jars/`
 */
export function makeJmhWorker(programPath) {
  return {
    ...worker,
    sources: [...worker.sources, 'jmh'],
    async build(context) {
      const { familyPath, outputPath, run } = context;
      mkdirSync(join(outputPath, 'jars'));
      await resolveLockedJars(readJarLock(familyPath).jmh, {
        ...context,
        outputPath: join(outputPath, 'jars'),
      });
      await run('javac', [
        ...['--release', '17', '-encoding', 'UTF-8', '-processor', PROCESSOR],
        ...['-d', join(outputPath, 'classes')],
        ...['-cp', listJmhClassPath(programPath, outputPath, {})],
        ...listSources(join(familyPath, 'jmh', 'assay')),
      ]);
    },
  };
}

/**
 * @param {string} programPath path of the worker's build
 * @param {string} jmhPath path of the build for JMH
 * @param {Record<string, string>} settings of a variant
 * @returns {string} class path with one version of the library
 */
export function listJmhClassPath(programPath, jmhPath, settings) {
  const jars = readdirSync(join(jmhPath, 'jars')).map((name) => join(jmhPath, 'jars', name));
  return [
    join(jmhPath, 'classes'),
    listClassPath({ buildPath: programPath, packagePath: null, settings }),
    ...jars,
  ].join(delimiter);
}
