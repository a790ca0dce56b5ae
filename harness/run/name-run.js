/** @import { Question } from '../formats/types.ts' */

/**
 * @param {Date} createdAt
 * @param {Pick<Question, 'baseline' | 'candidate'>} question
 * @returns {string} `20261121-114500-generator-vs-linked-list`, UTC
 */
export function nameRun(createdAt, { baseline, candidate }) {
  return `${nameMoment(createdAt)}-${shortenSpec(baseline)}-vs-${shortenSpec(candidate)}`;
}

/**
 * @param {string} spec `path:../my/codec.js`
 * @returns {string} its last part, fit for a file name: `codec`
 */
function shortenSpec(spec) {
  const lastPart = spec.replace(/^.*[:/](?=.)/, '').replace(/\.[cm]?js$/, '');
  return lastPart.replaceAll(/[^\w@.-]+/g, '-').slice(0, 24);
}

/**
 * @param {Date} moment
 * @returns {string} `20261121-114500`, UTC: what the directory of a run begins with
 */
export function nameMoment(moment) {
  const digits = moment.toISOString().replaceAll(/\D/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}`;
}
