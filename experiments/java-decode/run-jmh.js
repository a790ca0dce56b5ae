/**
 * Measures decoding before and after JAVA-5842 with JMH, the benchmark harness of the JDK, with the
 * classes, jars and flags of the worker: an independent cross-check. Prints the table of JMH for each
 * version. Arguments go to JMH: `-f 5`, `-p buffer=direct`, `-h`. With `--wait`, waits until no other
 * run measures on this host.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareCorpus } from '../../corpora/support/prepare.js';
import { withHostLock } from '../../harness/host/lock.js';
import { AssayError, MachineError } from '../../harness/lib/errors.js';
import { PROJECT } from '../../harness/lib/project.js';
import { quoteWords } from '../../harness/lib/words.js';
import { buildFamily } from '../../harness/variants/build-family.js';
import { JVM_FLAGS, listClassPath, listSources } from './build/program.js';
import { readJarLock, resolveLockedJars } from './build/resolve-jars.js';
import { worker } from './worker.js';

/** @import { FamilyWorker } from '../../harness/formats/types.ts' */

const VERSIONS = ['5.4.0', '5.5.0'];
const CORPUS = 'flat';

/**
 * Generates the code around a benchmark. Named explicitly, because compilers from JDK 23 on do not
 * search for annotation processors.
 */
const PROCESSOR = 'org.openjdk.jmh.generators.BenchmarkProcessor';

try {
  await lockAndRun(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof AssayError)) throw error;
  console.error(`error: ${error.message}`);
  if (error.remedy !== undefined) console.error(error.remedy);
  process.exitCode = error.exitStatus;
}

/** @param {string[]} typed */
async function lockAndRun(typed) {
  const { env: environment, stderr } = process;
  // Ctrl-C ends this process immediately, which releases the lock.
  const { signal } = new AbortController();
  const command = quoteWords(['just', 'jmh', ...typed]);
  const request = { command, where: PROJECT.projectPath, waits: typed.includes('--wait') };
  const options = typed.filter((word) => word !== '--wait');
  await withHostLock(request, { environment, stderr, signal }, () => runJmh(options));
}

/** @param {string[]} options for JMH, which override the annotations of the benchmark */
async function runJmh(options) {
  const path = dirname(fileURLToPath(import.meta.url));
  const { cachePath, corporaPath } = PROJECT;
  const program = await buildFamily({ name: 'java-decode', path }, worker, { cachePath });
  const jmh = await buildFamily(
    { name: 'java-decode-jmh', path },
    makeJmhWorker(program.buildPath),
    { cachePath },
  );
  const { files } = await prepareCorpus(CORPUS, { directory: corporaPath });
  for (const library of VERSIONS) {
    console.log(`\norg.mongodb:bson ${library}, decode ${CORPUS}\n`);
    const classPath = listJmhClassPath(program.buildPath, jmh.buildPath, { library });
    // JMH passes its own flags and properties to its processes.
    const jvm = [...JVM_FLAGS, `-Dassay.corpus=${files.canonical}`, '-cp', classPath];
    const args = [...jvm, 'org.openjdk.jmh.Main', ...options];
    const { status } = spawnSync('java', args, { stdio: 'inherit' });
    if (status !== 0) throw new MachineError(`JMH failed for org.mongodb:bson ${library}`);
  }
}

/**
 * The build for JMH, in addition to that of the worker.
 * @param {string} programPath path of the worker's build
 * @returns {FamilyWorker} that creates `classes/` and `jars/`
 */
function makeJmhWorker(programPath) {
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
function listJmhClassPath(programPath, jmhPath, settings) {
  const jars = readdirSync(join(jmhPath, 'jars')).map((name) => join(jmhPath, 'jars', name));
  return [
    join(jmhPath, 'classes'),
    listClassPath({ buildPath: programPath, packagePath: null, settings }),
    ...jars,
  ].join(delimiter);
}
