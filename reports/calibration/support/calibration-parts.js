/** The sections of a calibration's report, in the order in which a careful reader wants them. */

/** @import { Calibration } from '../../../harness/formats/types.ts' */
/** @import { ReportPart } from '../types.ts' */

import { makeCostPart } from './background-parts.js';
import { makeErrorPart } from './error-part.js';
import { makeNoisePart } from './noise-part.js';
import { makeBudgetPart, makePowerPart } from './power-parts.js';

/**
 * @param {Calibration} calibration
 * @returns {ReportPart[]}
 */
export function listCalibrationParts(calibration) {
  return [
    makeErrorPart(calibration),
    makePowerPart(calibration),
    makeBudgetPart(calibration),
    makeNoisePart(calibration),
    makeCostPart(calibration.costs),
  ];
}
