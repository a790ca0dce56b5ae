/**
 * Numbers as text: engineering units, three to four significant digits, a real minus sign. A missing
 * number (undefined, null, not finite) is printed as a dash.
 */

/** Printed for a missing number. */
export const NO_FIGURE = '–';

/** Keeps a number and its unit on one line. */
const NO_BREAK_SPACE = '\u00a0';

const MINUS = '−';
const TIME_UNITS = [
  { factor: 1e9, name: 's' },
  { factor: 1e6, name: 'ms' },
  { factor: 1e3, name: 'µs' },
  { factor: 1, name: 'ns' },
];
const SIZE_UNITS = [
  { factor: 2 ** 30, name: 'GiB', from: 2 ** 30 },
  { factor: 2 ** 20, name: 'MiB', from: 2 ** 20 },
  { factor: 2 ** 10, name: 'KiB', from: 10_000 },
];

/** @param {unknown} value @returns {value is number} whether it is a finite number */
export function isFigure(value) {
  return typeof value === 'number' && Number.isFinite(value);
}

/**
 * Formats two times in one unit where that is readable, so that they compare at a glance.
 *
 * @param {number | null | undefined} firstNs
 * @param {number | null | undefined} secondNs
 * @returns {[string, string]}
 */
export function formatTimePair(firstNs, secondNs) {
  if (!isFigure(firstNs) || !isFigure(secondNs)) return [formatTime(firstNs), formatTime(secondNs)];
  const unit = timeUnit(Math.min(firstNs, secondNs));
  if (Math.max(firstNs, secondNs) / unit.factor >= 9999.5) {
    return [formatTime(firstNs), formatTime(secondNs)];
  }
  return [inUnit(firstNs, unit), inUnit(secondNs, unit)];
}

/** @param {number | null | undefined} timeNs @returns {string} `35.2 µs` */
export function formatTime(timeNs) {
  return isFigure(timeNs) ? inUnit(timeNs, timeUnit(timeNs)) : NO_FIGURE;
}

/**
 * @param {number} timeNs
 * @returns {{ factor: number, name: string }} the largest unit of which it has one, of `factor` ns
 */
export function timeUnit(timeNs) {
  const rounded = Number(Math.abs(timeNs).toPrecision(3));
  return (
    TIME_UNITS.find((unit) => rounded >= unit.factor) ?? /** @type {never} */ (TIME_UNITS.at(-1))
  );
}

/** @type {(timeNs: number, unit: { factor: number, name: string }) => string} */
function inUnit(timeNs, unit) {
  return `${toSignificant(timeNs / unit.factor)} ${unit.name}`;
}

/**
 * Three significant digits, or all digits before the point where these are more.
 * @type {(value: number) => string}
 */
function toSignificant(value) {
  if (Math.abs(value) >= 999.5) return value.toFixed(0);
  return value === 0 ? '0' : value.toPrecision(3);
}

/**
 * A ratio with three decimals near 1: three significant digits below 1, four from 1.
 * @type {(ratio: number | null | undefined) => string} `0.423`, `1.002`, `12.34`
 */
export function formatRatio(ratio) {
  if (!isFigure(ratio)) return NO_FIGURE;
  if (ratio < 1e-4) return '<0.0001';
  if (ratio < 0.9995) return ratio.toPrecision(3);
  if (ratio < 9999.5) return ratio.toPrecision(4);
  // The interval of two processes may have any size; its digits would mean nothing.
  return ratio < 99999.5 ? ratio.toFixed(0) : '>99999';
}

/** @type {(interval: { low: number, high: number } | null | undefined) => string} `0.418–0.429` */
export function formatInterval(interval) {
  if (!isFigure(interval?.low) || !isFigure(interval.high)) return NO_FIGURE;
  return `${formatRatio(interval.low)}–${formatRatio(interval.high)}`;
}

/**
 * Formats a ratio of times as a change of time and the corresponding factor of throughput.
 *
 * @param {number | null | undefined} ratio
 * @returns {{ change: string, throughput: string }} `−58 %` and `×2.36`
 */
export function formatChange(ratio) {
  if (!isFigure(ratio) || ratio <= 0) return { change: NO_FIGURE, throughput: NO_FIGURE };
  const percent = (ratio - 1) * 100;
  const size = Math.abs(percent);
  // One decimal near 0 and near −100 %, where it matters.
  const digits = size.toFixed(size < 9.95 || percent < -99 ? 1 : 0);
  const isZero = Number(digits) === 0;
  const sign = isZero ? '' : percent < 0 ? MINUS : '+';
  return {
    change: `${sign}${digits}${NO_BREAK_SPACE}%`,
    throughput: `×${toSignificant(1 / ratio)}`,
  };
}

/**
 * @param {number | null | undefined} share 0.03 is 3 %
 * @returns {string} `3 %`, `1.2 %`, `0.52 %`
 */
export function formatShare(share) {
  if (!isFigure(share)) return NO_FIGURE;
  const percent = share * 100;
  if (percent >= 999.5) return `>999${NO_BREAK_SPACE}%`;
  const digits = percent < 99.5 ? String(Number(percent.toPrecision(2))) : percent.toFixed(0);
  return `${digits.replace('-', MINUS)}${NO_BREAK_SPACE}%`;
}

/**
 * A share as notes and checks print it, where a glance is enough.
 *
 * @param {number} share
 * @returns {string} one decimal below 10 %, none above: `3.1 %`, `12 %`, with a plain space
 */
export function formatRoughShare(share) {
  const percent = share * 100;
  return `${percent.toFixed(percent < 9.95 ? 1 : 0)} %`;
}

/** @param {number} p @returns {string} `0.013`, `< 0.001` */
export function formatP(p) {
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

/**
 * The confidence of intervals with an error rate of `alpha`.
 *
 * @param {number} alpha 0.05
 * @returns {string} `95 %`
 */
export function formatConfidence(alpha) {
  // A level that is a fraction of another one has endless digits.
  const rounded = Number(alpha.toPrecision(3));
  return `${Number(((1 - rounded) * 100).toPrecision(6))}${NO_BREAK_SPACE}%`;
}

/** @type {(ratio: { estimate: number, low: number, high: number }, alpha: number) => string} `×0.423 (98 % interval 0.418–0.429)` */
export function formatRatioInterval(ratio, alpha) {
  return `×${formatRatio(ratio.estimate)} (${formatConfidence(alpha)} interval ${formatInterval(ratio)})`;
}

/**
 * @param {number | null | undefined} durationMs
 * @returns {string} `820 ms`, `51.2 s`, `12 min 5 s`, `3 h 20 min`
 */
export function formatDuration(durationMs) {
  if (!isFigure(durationMs)) return NO_FIGURE;
  if (durationMs < 999.5) return `${durationMs.toFixed(0)}${NO_BREAK_SPACE}ms`;
  if (durationMs < 119_500) return `${toSignificant(durationMs / 1000)}${NO_BREAK_SPACE}s`;
  const seconds = Math.round(durationMs / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 120) {
    return `${formatCount(Math.floor(minutes / 60))}${NO_BREAK_SPACE}h ${minutes % 60}${NO_BREAK_SPACE}min`;
  }
  return `${minutes}${NO_BREAK_SPACE}min ${seconds % 60}${NO_BREAK_SPACE}s`;
}

/** @param {number | null | undefined} sizeBytes @returns {string} `6 046 bytes`, `2.38 MiB` */
export function formatSize(sizeBytes) {
  if (!isFigure(sizeBytes)) return NO_FIGURE;
  const unit = SIZE_UNITS.find((candidate) => sizeBytes >= candidate.from);
  if (unit === undefined) return `${formatCount(sizeBytes)}${NO_BREAK_SPACE}bytes`;
  return `${toSignificant(sizeBytes / unit.factor)}${NO_BREAK_SPACE}${unit.name}`;
}

/** @param {number | null | undefined} count a whole number @returns {string} `288`, `12 480` */
export function formatCount(count) {
  if (!isFigure(count)) return NO_FIGURE;
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, NO_BREAK_SPACE);
}

/**
 * A count with its unit in the singular or the plural.
 *
 * @param {number | null | undefined} count
 * @param {string} one
 * @param {string} [many]
 * @returns {string} `1 process`, `2 processes`
 */
export function countOf(count, one, many = `${one}s`) {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** @type {(bytes: number | null | undefined) => string} exact: `56 B`, `745.6 B`, `48 304 B` */
export function formatBytes(bytes) {
  if (!isFigure(bytes)) return NO_FIGURE;
  const tenths = Math.round(bytes * 10) / 10;
  const digits =
    tenths >= 1000 || Number.isInteger(tenths) ? formatCount(bytes) : tenths.toFixed(1);
  return `${digits}${NO_BREAK_SPACE}B`;
}

/**
 * @param {number | null | undefined} changeNs
 * @returns {string} with its sign: `+1.20 µs`, `−340 ns`, `0 ns`
 */
export function formatTimeChange(changeNs) {
  return withSign(changeNs, formatTime);
}

/** @param {number | null | undefined} changeBytes @returns {string} with its sign: `+384 B` */
export function formatBytesChange(changeBytes) {
  return withSign(changeBytes, formatBytes);
}

/** @type {(change: number | null | undefined, format: (size: number) => string) => string} */
function withSign(change, format) {
  if (!isFigure(change)) return NO_FIGURE;
  const sign = change === 0 ? '' : change < 0 ? MINUS : '+';
  return sign + format(Math.abs(change));
}

/**
 * @param {{ low: number, high: number } | null | undefined} change
 * @param {(value: number) => string} format of a bound
 * @returns {string} `+1.10 µs to +1.30 µs`
 */
export function formatChangeInterval(change, format) {
  if (!isFigure(change?.low) || !isFigure(change.high)) return NO_FIGURE;
  return `${format(change.low)} to ${format(change.high)}`;
}

/**
 * @param {number | null | undefined} figure
 * @returns {string} a whole number as such, others with two decimals or, below 1, three digits
 */
export function formatDecimal(figure) {
  if (!isFigure(figure)) return NO_FIGURE;
  if (Number.isInteger(figure)) return formatCount(figure);
  return figure < 1 ? String(Number(figure.toPrecision(3))) : figure.toFixed(2);
}
