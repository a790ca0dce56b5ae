/**
 * @param {Date} moment
 * @returns {string} `20261121-114500`, UTC: what the directory of a run begins with
 */
export function nameMoment(moment) {
  const digits = moment.toISOString().replaceAll(/\D/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}`;
}
