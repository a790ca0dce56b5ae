import {
  countOf,
  formatBytes,
  formatBytesChange,
  formatChange,
  formatChangeInterval,
  formatConfidence,
  formatCount,
  formatDecimal,
  formatDuration,
  formatInterval,
  formatRatio,
  formatRoughShare,
  formatShare,
  formatSize,
  formatTime,
  formatTimeChange,
  formatTimePair,
} from './numbers.js';

test.each([
  [0.4231, '0.423 ns'],
  [9.996, '10.0 ns'],
  [35_210, '35.2 µs'],
  [999.7, '1.00 µs'],
  [1_234_567, '1.23 ms'],
  [9_876_543_210, '9.88 s'],
  [123_456_789_012_345, '123457 s'],
  [0, '0 ns'],
])('a time of %d ns is %s', (timeNs, text) => {
  expect(formatTime(timeNs)).toBe(text);
});

test('the two times of a row share a unit where that stays readable', () => {
  expect(formatTimePair(987, 1020)).toEqual(['987 ns', '1020 ns']);
  expect(formatTimePair(35_210, 14_890)).toEqual(['35.2 µs', '14.9 µs']);
  expect(formatTimePair(12, 34_567)).toEqual(['12.0 ns', '34.6 µs']);
  expect(formatTimePair(null, 14_890)).toEqual(['–', '14.9 µs']);
});

test.each([
  [0.42312, '0.423'],
  [0.0123456, '0.0123'],
  [0.99949, '0.999'],
  [0.9996, '0.9996'],
  [1.0021, '1.002'],
  [12.344, '12.34'],
  [98_765.4, '98765'],
  [Number.MAX_VALUE, '>99999'],
  [0, '<0.0001'],
])('a ratio of %d is %s', (ratio, text) => {
  expect(formatRatio(ratio)).toBe(text);
});

test.each([
  [0.4221, '−58\u00a0%', '×2.37'],
  [0.9671, '−3.3\u00a0%', '×1.03'],
  [1.00001, '0.0\u00a0%', '×1.00'],
  [0.0042, '−99.6\u00a0%', '×238'],
  [1.0993, '+9.9\u00a0%', '×0.910'],
  [12.5, '+1150\u00a0%', '×0.0800'],
])('a ratio of %d is a change of %s and a throughput of %s', (ratio, change, throughput) => {
  expect(formatChange(ratio)).toEqual({ change, throughput });
});

test.each([
  [0.03, '3\u00a0%'],
  [0.0052, '0.52\u00a0%'],
  [0.1234, '12\u00a0%'],
  [0.9983, '100\u00a0%'],
  [-0.0017, '−0.17\u00a0%'],
  [Number.MAX_VALUE, '>999\u00a0%'],
])('a share of %d is %s', (share, text) => {
  expect(formatShare(share)).toBe(text);
});

test('a rough share has one decimal below 10 %, none from there', () => {
  const shares = [0.031, 0.0994, 0.0999, 0.25];
  expect(shares.map(formatRoughShare)).toEqual(['3.1 %', '9.9 %', '10 %', '25 %']);
});

test.each([
  [0, '0\u00a0ms'],
  [51_234, '51.2\u00a0s'],
  [160_000, '2\u00a0min 40\u00a0s'],
  [7_260_000, '2\u00a0h 1\u00a0min'],
])('a duration of %d ms is %s', (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});

test('small sizes are exact', () => {
  expect(formatSize(6046)).toBe('6\u00a0046\u00a0bytes');
  expect(formatSize(2_500_064)).toBe('2.38\u00a0MiB');
  expect(formatSize(8 * 2 ** 30)).toBe('8.00\u00a0GiB');
});

test.each([
  [0, '0 processes'],
  [1, '1 process'],
  [2, '2 processes'],
  [1000, '1\u00a0000 processes'],
])('a count of %p is in the singular or the plural: %p', (count, text) => {
  expect(countOf(count, 'process', 'processes')).toBe(text);
});

test('other numbers', () => {
  expect(formatCount(1_234_567)).toBe('1\u00a0234\u00a0567');
  expect(formatConfidence(0.05)).toBe('95\u00a0%');
  expect(formatConfidence(0.001)).toBe('99.9\u00a0%');
  expect(formatInterval({ low: 0.418, high: 1.0294 })).toBe('0.418–1.029');
});

test.each([null, undefined, NaN, Infinity])('%p is a dash everywhere', (missing) => {
  const formats = [formatTime, formatRatio, formatShare, formatDuration, formatSize, formatCount];
  for (const format of formats) expect(format(missing)).toBe('–');
  expect(formatChange(missing)).toEqual({ change: '–', throughput: '–' });
  expect(formatInterval(missing === null ? null : undefined)).toBe('–');
  expect(formatInterval({ low: NaN, high: 1 })).toBe('–');
});

test.each([
  [56, '56 B'],
  [745.62, '745.6 B'],
  [48_304.4, '48\u00a0304 B'],
  [null, '–'],
])('%s bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text.replace(' ', '\u00a0'));
});

test.each([
  [1_234.5, '+1.23 µs'],
  [-340, '−340 ns'],
  [0, '0 ns'],
  [null, '–'],
])('a change of %s ns is %s', (changeNs, text) => {
  expect(formatTimeChange(changeNs)).toBe(text);
});

test('a change has its sign in each bound too', () => {
  expect(formatBytesChange(-384)).toBe('−384\u00a0B');
  expect(formatChangeInterval({ low: -5, high: 3 }, formatTimeChange)).toBe('−5.00 ns to +3.00 ns');
  expect(formatChangeInterval(null, formatTimeChange)).toBe('–');
});

test.each([
  [0, '0'],
  [12, '12'],
  [0.00512, '0.00512'],
  [0.9583, '0.958'],
  [1.1149, '1.11'],
  [undefined, '–'],
])('the figure %s is written %s', (figure, text) => {
  expect(formatDecimal(figure)).toBe(text);
});
