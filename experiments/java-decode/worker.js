import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../harness/lib/errors.js';
import {
  COUNTING_FLAGS,
  JVM_FLAGS,
  RECORDING_FLAGS,
  compileProgram,
  listClassPath,
} from './build/program.js';
import { digestJar, readJarLock, resolveJars, resolveLockedJars } from './build/resolve-jars.js';

/** @import { FamilyWorker } from '../../harness/formats/types.ts' */

const INSTALL_JDK = 'apt-get install openjdk-17-jdk-headless, or a JDK of 17 or newer';
const INSTALL_MAVEN = 'apt-get install maven';
/** Versions as in Maven Central; used in file names and in a project file. */
const VERSION = /^\d[\w.-]*$/;
/** Has the wrapper for Netty's buffers; same version as the library. */
const DRIVER_CORE = 'org.mongodb:mongodb-driver-core';
/** Axes of the composed inputs. */
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
      throw new UsageError(`the input of the library has no axis '${composedAxis}'`, {
        remedy: `set it on a composed variant: swar-view+${composedAxis}=${settings[composedAxis]}`,
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
      throw new UsageError(`'${version}' is not a version of ${name}`, {
        remedy: 'use a version as listed by Maven Central: 5.3.1',
      });
    }
    try {
      await resolveJars([`${name}:${version}`, `${DRIVER_CORE}:${version}`], context);
    } catch (cause) {
      throw new UsageError(`Maven cannot download ${name} ${version}`, {
        remedy: `check that Maven Central is reachable and has this version, also of ${DRIVER_CORE}`,
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
