import { FormatError } from '../../../lib/errors.js';
import { readJson } from '../../../profiling/formats/read-json.js';

/** @import { Side } from './types.ts' */

/**
 * Takes numbers of both sides out of what a script of `inside/` wrote.
 *
 * @template {string} Name
 * @param {string} text JSON
 * @param {string} tool for messages
 * @param {readonly Name[]} names of the numbers of a side
 * @returns {Record<Side, Record<Name, number>> & { all: Record<string, unknown> }}
 * @throws {FormatError} when one of them is missing, or is no finite number
 */
export function readFigures(text, tool, names) {
  const remedy = `the peers are used at exact versions; see harness/studies/calibration/peers/README.md`;
  const all = readJson(text, `the figures of ${tool}`, remedy);
  /** @param {Side} side */
  const readSide = (side) => {
    const figures = /** @type {Record<string, unknown> | undefined} */ (all[side]) ?? {};
    for (const name of names) {
      if (Number.isFinite(figures[name])) continue;
      throw new FormatError(`the figures of ${tool} have no number '${name}' of the ${side}`, {
        remedy,
      });
    }
    return /** @type {Record<Name, number>} */ (figures);
  };
  return { baseline: readSide('baseline'), candidate: readSide('candidate'), all };
}
