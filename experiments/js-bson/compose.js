import { readdirSync } from 'node:fs';
import { didYouMean } from '../../harness/lib/words.js';
import { UsageError } from '../../harness/lib/errors.js';
import { addExtraWork, litter, turn } from './codec/extra-work.js';
import { makeCodec } from './codec/make-codec.js';

/** @import { VariantDescription } from '../../harness/formats/types.ts' */
/** @import { ObjectIds, Traversal } from './codec/make-codec.js' */

/**
 * @typedef {object} Settings the axes of `family.js`
 * @property {string} [object-id]
 * @property {string} [pool-size]
 * @property {string} [cache]
 * @property {string} [extra-work]
 * @property {string} [garbage]
 *
 * @typedef {{ traversal?: Traversal, variant: VariantDescription, objectIdName?: string }} BuiltIn
 * @typedef {ObjectIds & { breaks?: Record<string, string> }} LoadedObjectIds
 */

const FOLDER = new URL('./object-ids/', import.meta.url);
const DEFAULT_OBJECT_IDS = 'buffer';

/** 120 MB. */
const MAX_POOL_IDS = 10_000_000;

/** Values of the axis `cache` and the static property that each enables. */
const CACHE_PROPERTIES = new Map([
  ['hex-string', 'cacheHexString'],
  ['buffer', 'cacheBuffer'],
]);

/**
 * Applies axes to a variant: another ObjectId implementation or another setting.
 * @param {object} module namespace of the variant; exports `traversal`, and `objectIdName` if its
 *   ObjectIds differ from the baseline's
 * @param {Settings} settings
 * @returns {Promise<Record<string, any>>} like the namespace
 * @throws {UsageError} if the settings are not compatible
 */
export async function composeVariant(module, settings) {
  const { traversal, variant, objectIdName = DEFAULT_OBJECT_IDS } = /** @type {BuiltIn} */ (module);
  if (traversal === undefined) {
    throw new UsageError('this variant has no traversal to combine with other ObjectIds', {
      remedy: "compose one of the traversals, such as 'linked-list'",
    });
  }
  const {
    'object-id': name = objectIdName,
    'extra-work': turns,
    garbage,
    ...ofObjectIds
  } = settings;
  const objectIds = await loadObjectIds(name, ofObjectIds);
  const former = await loadObjectIds(objectIdName, {});
  let codec = makeCodec(traversal, objectIds);
  if (turns !== undefined) codec = addExtraWork(codec, Number(turns), turn);
  if (garbage !== undefined) codec = addExtraWork(codec, Number(garbage), litter);
  return {
    ...module,
    ...codec,
    variant: exchangeBreaks(variant, former, objectIds),
    objectIdName: name,
  };
}

/**
 * The declared differences of a variant with other ObjectIds.
 * @param {VariantDescription} variant
 * @param {LoadedObjectIds} former
 * @param {LoadedObjectIds} objectIds
 * @returns {VariantDescription}
 */
function exchangeBreaks(variant, { breaks: formerBreaks = {} }, { breaks }) {
  const others = Object.entries(variant.breaks ?? {}).filter(([row]) => !(row in formerBreaks));
  return { ...variant, breaks: { ...Object.fromEntries(others), ...breaks } };
}

/** @type {(name: string, settings: Settings) => Promise<LoadedObjectIds>} */
async function loadObjectIds(name, settings) {
  const { 'pool-size': poolSize, cache } = settings;
  const names = listObjectIds();
  if (!names.includes(name)) {
    throw new UsageError(`no object-id '${name}'${didYouMean(name, names)}`, {
      remedy: `use one of ${names.join(', ')}`,
    });
  }
  const file = new URL(`${name}.js`, FOLDER);
  if (poolSize === undefined && cache === undefined) return import(file.href);
  // A separate copy of the module, because settings are static and must not affect other variants.
  file.search = String(new URLSearchParams({ ...settings, 'object-id': name }));
  const objectIds = await import(file.href);
  if (poolSize !== undefined) setPoolSize(objectIds.ObjectId, name, poolSize);
  if (cache !== undefined) setCache(objectIds.ObjectId, name, cache);
  return objectIds;
}

/** @type {() => string[]} */
function listObjectIds() {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.js') && !file.endsWith('.test.js'))
    .map((file) => file.slice(0, -'.js'.length));
}

/** @param {{ poolSize?: number }} ObjectId @param {string} name @param {string} text */
function setPoolSize(ObjectId, name, text) {
  if (!('poolSize' in ObjectId)) {
    throw new UsageError(`object-id=${name} has no pools, so no pool-size`, {
      remedy: 'leave pool-size out, or use object-id=pooled',
    });
  }
  const poolSize = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(poolSize >= 1 && poolSize <= MAX_POOL_IDS)) {
    throw new UsageError(`pool-size=${text} is not a number of ids`, {
      remedy: `use a whole number from 1 to ${MAX_POOL_IDS}`,
    });
  }
  ObjectId.poolSize = poolSize;
}

/** @param {Record<string, unknown>} ObjectId @param {string} name @param {string} text */
function setCache(ObjectId, name, text) {
  const property = CACHE_PROPERTIES.get(text);
  const able = [...CACHE_PROPERTIES].filter(([, own]) => own in ObjectId).map(([value]) => value);
  if (property === undefined || !(property in ObjectId)) {
    throw new UsageError(`object-id=${name} cannot cache '${text}'`, {
      remedy: `use cache=${able.join(' or cache=')}, or leave it out`,
    });
  }
  ObjectId[property] = true;
}
