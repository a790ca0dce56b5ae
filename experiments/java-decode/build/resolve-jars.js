import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FormatError } from '../../../harness/lib/errors.js';

/** @import { BuildContext } from '../../../harness/formats/types.ts' */

/** Its goal `copy` downloads jars by coordinates, without dependencies. */
const PLUGIN = { groupId: 'org.apache.maven.plugins', artifactId: 'maven-dependency-plugin' };
const PLUGIN_VERSION = '3.8.1';
const POM = 'pom.xml';

/**
 * Checksums of jars: subresource integrity by coordinates.
 * @typedef {Record<string, string>} JarLock
 */

/**
 * The lock file: jars of the worker and the additional jars of JMH.
 * @type {(familyPath: string) => Record<'worker' | 'jmh', JarLock>}
 */
export function readJarLock(familyPath) {
  return JSON.parse(readFileSync(join(familyPath, 'jars.lock.json'), 'utf8'));
}

/**
 * Downloads jars with Maven, which verifies the registry's checksums.
 * @param {string[]} coordinates `org.mongodb:bson:5.5.0`
 * @param {Pick<BuildContext, 'outputPath' | 'downloadsPath' | 'run'>} context receives the jars in
 *   `outputPath` as `bson-5.5.0.jar`
 * @throws {import('../../../harness/lib/errors.js').MachineError} when Maven fails
 */
export async function resolveJars(coordinates, { outputPath, downloadsPath, run }) {
  const pomPath = join(outputPath, POM);
  writeFileSync(pomPath, formatPom(coordinates, outputPath));
  await run('mvn', [
    '--batch-mode',
    '--quiet',
    '--strict-checksums',
    '-Dstyle.color=never',
    '--file',
    pomPath,
    `-Dmaven.repo.local=${join(downloadsPath, 'maven')}`,
    `${PLUGIN.groupId}:${PLUGIN.artifactId}:${PLUGIN_VERSION}:copy`,
  ]);
  rmSync(pomPath);
}

/**
 * Downloads jars and verifies each against the lock file.
 * @param {JarLock} lock
 * @param {Pick<BuildContext, 'outputPath' | 'downloadsPath' | 'run'>} context
 * @throws {FormatError} when a jar does not match the lock file
 */
export async function resolveLockedJars(lock, context) {
  await resolveJars(Object.keys(lock), context);
  for (const [coordinates, locked] of Object.entries(lock)) {
    const file = nameJar(coordinates);
    const integrity = digestJar(join(context.outputPath, file));
    if (integrity === locked) continue;
    throw new FormatError(
      `${file} does not match jars.lock.json: expected ${locked}, found ${integrity}`,
      {
        remedy: `remove ${join(context.downloadsPath, 'maven')} and try again; if it persists, find the cause before you change jars.lock.json`,
      },
    );
  }
}

/** @type {(coordinates: string) => string} file name */
function nameJar(coordinates) {
  const [, artifactId, version] = coordinates.split(':');
  return `${artifactId}-${version}.jar`;
}

/** @type {(path: string) => string} subresource integrity */
export function digestJar(path) {
  return `sha256-${createHash('sha256').update(readFileSync(path)).digest('base64')}`;
}

/** @type {(coordinates: string[], outputPath: string) => string} a project that only copies jars */
function formatPom(coordinates, outputPath) {
  const items = coordinates.map((each) => {
    const [groupId = '', artifactId = '', version = ''] = each.split(':');
    return formatElement('artifactItem', formatFields({ groupId, artifactId, version }));
  });
  const configuration =
    formatElement('outputDirectory', escapeText(outputPath)) +
    formatElement('artifactItems', items.join(''));
  const plugin =
    formatFields({ ...PLUGIN, version: PLUGIN_VERSION }) +
    formatElement('configuration', configuration);
  const project =
    formatFields({
      modelVersion: '4.0.0',
      groupId: 'assay',
      artifactId: 'jars',
      version: '1',
      packaging: 'pom',
    }) + formatElement('build', formatElement('plugins', formatElement('plugin', plugin)));
  return `${formatElement('project', project)}\n`;
}

/** @param {Record<string, string>} fields */
function formatFields(fields) {
  return Object.entries(fields)
    .map(([name, value]) => formatElement(name, escapeText(value)))
    .join('');
}

/** @param {string} name @param {string} content */
function formatElement(name, content) {
  return `<${name}>${content}</${name}>`;
}

/** @param {string} text */
function escapeText(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
