import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { editVariant } from '../../variants/placement/copies.js';
import { describeMeasured, makeMeasureJob } from '../../run/passes/timing.js';
import { generatorFor, shuffle } from '../../stats/random.js';

/** @import { Cell, LayoutObservation } from '../../formats/types.ts' */
/** @import { Bench } from './trial.js' */

/** Layouts of a cell, the unedited one included. */
const LAYOUTS = 8;
/** Order of the layouts within a block: a stream apart from those of trials. */
const STREAM = 2_000_001;

/**
 * Measures copies of the variant whose code lies elsewhere, in blocks of every layout of every cell
 * once, until the time is over.
 *
 * @param {object} context
 * @param {Bench} context.bench
 * @param {Cell[]} context.cells
 * @param {number} context.seed
 * @param {number} context.from first block: those before have been measured
 * @param {string} context.path directory of the calibration
 * @param {() => number} context.elapsedMs
 * @param {() => boolean} context.isOver whether time or patience are at an end
 * @param {(observation: LayoutObservation) => void} context.keep
 * @param {(step: string) => void} context.onStep
 */
export async function measureLayoutSpread(context) {
  const { bench, cells, seed, from, path, elapsedMs, isOver, keep, onStep } = context;
  const layoutsPath = join(path, 'layouts');
  rmSync(layoutsPath, { recursive: true, force: true });
  const edited = Array.from({ length: LAYOUTS }, (_, layout) =>
    layout === 0
      ? { variant: bench.manifest.variants.baseline, familyPath: bench.family.path }
      : editVariant(bench.manifest.variants.baseline, bench.family, {
          seed,
          arm: 'baseline',
          layout,
          path: layoutsPath,
        }),
  );
  try {
    await measureBlocks();
  } finally {
    rmSync(layoutsPath, { recursive: true, force: true });
  }

  async function measureBlocks() {
    for (let block = from; !isOver(); block++) {
      const jobs = cells.flatMap((cell) => edited.map((copy, layout) => ({ cell, layout, copy })));
      for (const [position, job] of shuffle(jobs, generatorFor(seed, block, STREAM)).entries()) {
        if (isOver()) return;
        const { cell, layout, copy } = job;
        onStep(`layouts · ${cell.id} · block ${block + 1}`);
        const id = `layout/${cell.id}/${block}/${position}/baseline-${layout}`;
        const startedAtMs = elapsedMs();
        const side = {
          variant: copy.variant,
          family: { name: bench.family.name, path: copy.familyPath },
        };
        const outcome = await bench.runJob.default(makeMeasureJob(id, cell, side, bench.manifest));
        const planned = /** @type {const} */ ({
          id,
          cellId: cell.id,
          arm: 'baseline',
          layout,
          block,
          position,
        });
        keep({
          formatVersion: FORMAT_VERSION,
          ...planned,
          startedAtMs,
          ...describeMeasured(outcome),
        });
      }
    }
  }
}
