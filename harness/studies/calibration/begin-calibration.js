import { basename } from 'node:path';
import { describeEnvironment } from '../../host/environment.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { describeAssay } from '../../lib/project.js';

/** @import { Calibration, Question } from '../../formats/types.ts' */
/** @import { StoredCalibration } from './store.js' */

/**
 * A calibration of which nothing has been measured yet.
 *
 * @param {string} path absolute, of its directory
 * @param {{ question: Question, command: string, budgetSeconds: number, variables: Record<string, string | undefined> }} begun
 * @returns {StoredCalibration}
 */
export function beginCalibration(path, { question, command, budgetSeconds, variables }) {
  const { baseline: variant, cells, minimumEffect, alpha, looks, seed } = question;
  /** @type {Calibration} */
  const calibration = {
    formatVersion: FORMAT_VERSION,
    id: basename(path),
    createdAt: new Date().toISOString(),
    command,
    seed,
    ended: 'interrupted',
    wallMs: 0,
    workerMs: 0,
    assay: describeAssay(),
    environment: describeEnvironment({ variables }),
    hostNoise: { stealShare: null, othersShare: null, throttledMs: null },
    settings: { warmUpMs: 0, warmUpCalls: 0, maxWarmUpMs: 0, batchCount: 1, batchMs: 0 },
    variant,
    cells,
    minimumEffect,
    alpha,
    looks,
    budgetSeconds,
    costs: [],
    modes: [],
    splits: [],
    layouts: [],
    warnings: [],
  };
  return { path, calibration, trials: [], observations: [], layoutObservations: [] };
}
