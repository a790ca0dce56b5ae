import { openBundler } from '../variants/bundler.js';
import { measureSizes } from '../worker/measure-sizes.js';

/** @import { Cell, MessageSizes, ResolvedVariant } from '../formats/types.ts' */
/** @import { ResolveContext } from '../variants/resolve.js' */
/** @import { CheckedOutputs } from './gate.js' */

/** @typedef {Record<string, MessageSizes>} CodeSizes by spec; `raw` is that of the minified bundle */

/** @type {(cell: Pick<Cell, 'cold'>) => boolean} whether it times loading alone */
function isLoad({ cold }) {
  return cold?.calls === 0;
}

/**
 * Sizes of the code that a bundler makes of each variant: its entry with all modules that it imports, minified, and then
 * compressed. Modules of Node are left out, and so are native addons.
 *
 * @param {Cell[]} cells
 * @param {ResolvedVariant[]} variants
 * @param {Pick<ResolveContext, 'cachePath' | 'assayPath' | 'onNote'>} context
 * @returns {Promise<CodeSizes>} empty where nothing is loaded; of what cannot be bundled there is a note instead
 */
export async function measureCodeSizes(cells, variants, context) {
  /** @type {CodeSizes} */
  const sizes = {};
  if (!cells.some(isLoad)) return sizes;
  try {
    const build = await openBundler(context);
    for (const { spec, modulePath } of variants)
      sizes[spec] ??= measureSizes([await bundle(build, modulePath)]);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    context.onNote?.(`no sizes of code: ${message.split('\n', 2).join(' ')}`);
    return {};
  }
  return sizes;
}

/** @type {(build: import('../variants/bundler.js').Build, modulePath: string) => Promise<Uint8Array>} */
async function bundle(build, modulePath) {
  const { outputFiles } = await build({
    entryPoints: [modulePath],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
    loader: { '.node': 'empty' },
    logLevel: 'silent',
  });
  return outputFiles[0].contents;
}

/**
 * @param {CheckedOutputs['sizes']} sizes of messages, by cell
 * @param {Cell[]} cells
 * @param {CodeSizes} [codeSizes]
 * @returns {CheckedOutputs['sizes']} with those of code in cells that load variants, whose messages do not matter
 */
export function addCodeSizes(sizes, cells, codeSizes = {}) {
  const loading = cells.filter(isLoad).map(({ id }) => id);
  const ofMessages = Object.entries(sizes).filter(([id]) => !loading.includes(id));
  const ofCode = Object.keys(codeSizes).length === 0 ? [] : loading.map((id) => [id, codeSizes]);
  return Object.fromEntries([...ofMessages, ...ofCode]);
}
