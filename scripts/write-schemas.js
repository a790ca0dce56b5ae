/**
 * Generates harness/formats/schemas.json from the types in harness/formats: `npm run write-schemas`. With `--check`
 * it only checks that the file is up to date.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import generator from 'ts-json-schema-generator';
import { FORMAT_VERSION } from '../harness/formats/format-version.js';

/** @typedef {Record<string, any>} Schema */

const FOLDER_URL = new URL('../harness/formats/', import.meta.url);
const FILE = fileURLToPath(new URL('schemas.json', FOLDER_URL));
const POINTER = '#/definitions/';

const text = formatSchemas(simplify(readDefinitions()));
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text);
} else if (readFileSync(FILE, 'utf8') !== text) {
  console.error(`${FILE} differs from the types: run 'npm run write-schemas' and commit it`);
  process.exitCode = 1;
}

/**
 * @returns {Record<string, Schema>} all types that a format needs, by name
 */
function readDefinitions() {
  const types = generator.createGenerator({
    path: fileURLToPath(new URL('*.ts', FOLDER_URL)),
    tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)),
    discriminatorType: 'open-api',
    encodeRefs: false,
    sortProps: false,
    // `just check` has already checked the types.
    skipTypeCheck: true,
  });
  return /** @type {Record<string, Schema>} */ (types.createSchema('Formats').definitions);
}

/**
 * Inlines scalar types where they are referenced, so that a reader of the schema or of an error message sees
 * their range.
 *
 * @param {Record<string, Schema>} definitions
 * @returns {Record<string, Schema>} the remaining definitions, of objects and unions
 */
function simplify(definitions) {
  const simple = Object.entries(definitions).map(([name, schema]) => [name, resolve(schema)]);
  return Object.fromEntries(simple.filter(([, schema]) => !isScalar(schema)));

  /**
   * @param {any} schema or a part of one
   * @returns {any}
   */
  function resolve(schema) {
    if (Array.isArray(schema)) return schema.map(resolve);
    if (Object(schema) !== schema) return schema;
    const { $ref, ...own } = schema;
    const parts = Object.entries(own).map(([key, value]) => [key, resolve(value)]);
    return inOrder(mergeChoices({ ...follow($ref), ...Object.fromEntries(parts) }));
  }

  /** @param {string | undefined} reference */
  function follow(reference) {
    if (reference === undefined) return {};
    const name = reference.slice(POINTER.length);
    const target = resolve(definitions[name]);
    return isScalar(target) ? target : { $ref: `#/$defs/${name}` };
  }
}

/**
 * Lists required properties in the order of the type, the order in which messages name missing ones.
 * @type {(schema: Schema) => Schema}
 */
function inOrder(schema) {
  const { required, properties } = schema;
  if (!Array.isArray(required) || properties === undefined) return schema;
  return { ...schema, required: Object.keys(properties).filter((key) => required.includes(key)) };
}

/** @param {Schema} schema */
function isScalar(schema) {
  const types = [schema.type ?? []].flat();
  const isPlain = types.length > 0 && types.every((type) => type !== 'object' && type !== 'array');
  return 'enum' in schema || 'const' in schema || isPlain;
}

/**
 * Merges a union of scalar types, such as `number or null` or several literals, into one schema.
 * @type {(schema: Schema) => Schema}
 */
function mergeChoices(schema) {
  const { anyOf, ...rest } = schema;
  const words = (anyOf ?? [schema]).map(listWords);
  if (words.every(Boolean)) {
    for (const key of ['type', 'const', 'enum']) delete rest[key];
    const all = words.flat();
    return { ...(all.length === 1 ? { const: all[0] } : { enum: all }), ...rest };
  }
  const [first, second] = anyOf ?? [];
  const isNullable = anyOf?.length === 2 && listWords(second)?.[0] === null;
  if (!isNullable || !isScalar(first)) return schema;
  return { ...first, type: [first.type, 'null'], ...rest };
}

/**
 * @param {Schema} schema
 * @returns {unknown[] | null} its allowed values, if it lists them
 */
function listWords(schema) {
  if ('const' in schema) return [schema.const];
  return schema.type === 'null' ? [null] : (schema.enum ?? null);
}

/**
 * @param {Record<string, Schema>} definitions
 * @returns {string} JSON with one definition per line
 */
function formatSchemas(definitions) {
  const head = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:assay:formats:${FORMAT_VERSION}`,
    title: 'Assay: formats',
    description: 'Generated from harness/formats/*.ts, which are easier to read.',
  };
  const lines = Object.keys(definitions)
    .sort()
    .map((name) => `${JSON.stringify(name)}: ${JSON.stringify(definitions[name])}`);
  const start = JSON.stringify(head, null, 2).slice(0, -2);
  return `${start},\n  "$defs": {\n    ${lines.join(',\n    ')}\n  }\n}\n`;
}
