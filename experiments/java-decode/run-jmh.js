/**
 * Measures decoding before and after JAVA-5842 with JMH, the benchmark harness of the JDK, on the
 * same classes, jars and flags as the worker of this family: an independent cross-check. Prints
 * JMH's own table for each version; arguments go to JMH: `-f 5`, `-p buffer=direct`, `-h`. `--wait`
 * waits until no other run measures on this host.
 */
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareCorpus } from '../../corpora/support/prepare.js';
import { AssayError, MachineError } from '../../harness/lib/errors.js';
import { PROJECT } from '../../harness/lib/project.js';
import { quoteWords } from '../../harness/lib/words.js';
import { buildFamily } from '../../harness/variants/build-family.js';
import { withHostLock } from '../../harness/host/lock.js';
import { JVM_FLAGS } from './build/class-path.js';
import { listJmhClassPath, makeJmhWorker } from './build/jmh-worker.js';
import { worker } from './worker.js';

const VERSIONS = ['5.4.0', '5.5.0'];
const CORPUS = 'flat';

try {
  await takeTurnAndRun(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof AssayError)) throw error;
  console.error(`error: ${error.message}`);
  if (error.remedy !== undefined) console.error(error.remedy);
  process.exitCode = error.exitStatus;
}

/** @param {string[]} typed */
async function takeTurnAndRun(typed) {
  const { env: environment, stderr } = process;
  // Ctrl-C ends this process at once, and with it its turn.
  const { signal } = new AbortController();
  const command = quoteWords(['just', 'jmh', ...typed]);
  const turn = { command, where: PROJECT.projectPath, waits: typed.includes('--wait') };
  const options = typed.filter((word) => word !== '--wait');
  await withHostLock(turn, { environment, stderr, signal }, () => runJmh(options));
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
