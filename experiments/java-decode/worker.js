import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../harness/lib/errors.js';
import { COUNTING_FLAGS, JVM_FLAGS, listClassPath, RECORDING_FLAGS } from './build/class-path.js';
import { compileProgram } from './build/compile-program.js';
import { digestJar, readJarLock, resolveJars, resolveLockedJars } from './build/resolve-jars.js';

/** @import { FamilyWorker } from '../../harness/formats/types.ts' */

const INSTALL_JDK = 'apt-get install openjdk-17-jdk-headless, or a JDK of 17 or newer';
const INSTALL_MAVEN = 'apt-get install maven';
/** As Maven Central has them: they become names of files and parts of a project file. */
const VERSION = /^\d[\w.-]*$/;
/** Of the same version; it has the wrapper around Netty's buffers. */
const DRIVER_CORE = 'org.mongodb:mongodb-driver-core';
/** Axes of the inputs of this family's own. */
const COMPOSED_AXES = ['scan', 'string'];

/** @satisfies {FamilyWorker} */
export const worker = {
  toolchain: [
    { name: 'java', leastVersion: '17', versionArgs: ['--version'], install: INSTALL_JDK },
    { name: 'javac', leastVersion: '17', versionArgs: ['--version'], install: INSTALL_JDK },
    {
      name: 'mvn',
      leastVersion: '3.6.3',
      versionArgs: ['-q', '--version'],
      install: INSTALL_MAVEN,
    },
  ],
  sources: ['program', 'build', 'worker.js', 'jars.lock.json'],
  variables: ['JAVA_HOME', 'MAVEN_OPTS'],

  async build(context) {
    const { familyPath, outputPath } = context;
    const jarsPath = join(outputPath, 'jars');
    mkdirSync(jarsPath);
    await resolveLockedJars(readJarLock(familyPath).worker, { ...context, outputPath: jarsPath });
    await compileProgram(context);
  },

  command({ buildPath, packagePath, settings }) {
    const composedAxis = COMPOSED_AXES.find((axis) => settings[axis] !== undefined);
    if (composedAxis !== undefined && settings.input !== 'composed') {
      throw new UsageError(`the library's own input has no axis '${composedAxis}'`, {
        remedy: `set it of a variant of this family's own: swar-view+${composedAxis}=${settings[composedAxis]}`,
      });
    }
    return {
      executable: 'java',
      args: [
        ...JVM_FLAGS,
        '-cp',
        listClassPath({ buildPath, packagePath, settings }),
        'assay.Worker',
      ],
      recordingArgs: RECORDING_FLAGS,
      countingArgs: COUNTING_FLAGS,
      loop: ['assay.Decoding.run', 'assay.Decoding.decodeUnit'],
    };
  },

  async fetchPackage({ name, version }, context) {
    if (!VERSION.test(version)) {
      throw new UsageError(`'${version}' is no version of ${name}`, {
        remedy: 'write one as Maven Central lists it: 5.3.1',
      });
    }
    try {
      await resolveJars([`${name}:${version}`, `${DRIVER_CORE}:${version}`], context);
    } catch (cause) {
      throw new UsageError(`Maven did not bring ${name} ${version}`, {
        remedy: `see whether Maven Central has it, for ${DRIVER_CORE} too, and can be reached`,
        cause,
      });
    }
    return {
      integrity: digestJar(join(context.outputPath, `bson-${version}.jar`)),
      idea: `the reader and the codec of the MongoDB driver for Java ${version}`,
      source: `${name} ${version}`,
    };
  },
};
