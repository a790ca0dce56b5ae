import { completeCodec } from './complete-codec.js';
import { findCheckoutDifferences, findKnownDifferences } from './known-differences.js';
import { CONTRACT } from './table.js';

/** @import { ContractRow, VariantDescription } from '../../../harness/formats/types.ts' */
/** @import { Codec, Row, Theme } from './types.ts' */

const DEPTH_ROW = 'maximum-depth';
const USES_CALL_STACK =
  'nested documents use the call stack, which ends after some thousand levels';

/**
 * Holds a variant against the behaviour contract. A row that does not hold fails, unless the variant
 * (or, for a published version, `known-differences.js`) says why; a row said not to hold that holds
 * fails too, so that no excuse outlives its reason. In a checkout of a published version, what is known
 * of that may be mended already.
 *
 * @param {object} module namespace of the variant
 * @param {Codec} reference namespace of npm `bson`
 * @param {{ spec: string, modulePath?: string }} variant
 * @param {Theme[]} [themes]
 * @returns {Promise<ContractRow[]>}
 */
export async function runContract(module, reference, { spec, modulePath }, themes = CONTRACT) {
  const codec = completeCodec(module, reference);
  const declared = { ...findKnownDifferences(spec), ...listDeclared(codec.variant) };
  const possible = modulePath === undefined ? {} : findCheckoutDifferences(spec, modulePath);
  /** @type {ContractRow[]} */
  const rows = [];
  for (const { title, rows: promises } of themes) {
    for (const row of promises) {
      const problem = await tryRow(row, codec, reference);
      const { name, promise } = row;
      const reason = declared[name] ?? (problem === null ? undefined : possible[name]);
      rows.push({ theme: title, name, promise, ...judge(problem, reason) });
    }
  }
  return rows;
}

/**
 * @param {VariantDescription | undefined} description
 * @returns {Record<string, string>} reasons by row
 */
function listDeclared(description) {
  const byStack = description?.usesCallStack === true ? { [DEPTH_ROW]: USES_CALL_STACK } : {};
  return { ...byStack, ...description?.breaks };
}

/**
 * @param {Row} row
 * @param {Codec} codec
 * @param {Codec} reference
 * @returns {Promise<string | null>} what is wrong
 */
async function tryRow(row, codec, reference) {
  try {
    await row.check(codec, reference);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * @param {string | null} problem
 * @param {string | undefined} reason
 * @returns {Pick<ContractRow, 'outcome' | 'detail'>}
 */
function judge(problem, reason) {
  if (reason === undefined) {
    return problem === null
      ? { outcome: 'holds', detail: null }
      : { outcome: 'fails', detail: problem };
  }
  if (problem !== null) return { outcome: 'differs', detail: reason };
  return { outcome: 'fails', detail: `declared to break (${reason}), but holds` };
}
