import { COMPARISON_OPTIONS, duration, list, listOf, SEED, SHARD, wholeNumber } from './options.js';

const { mei, explain } = COMPARISON_OPTIONS;
const parts = listOf(['power', 'placements']);

test.each([
  [COMPARISON_OPTIONS.asOf.parse, '2024-02-29', '2024-02-29'],
  [duration, '90', 90],
  [duration, '0.5s', 0.5],
  [duration, '5m', 300],
  [duration, '1 h', 3600],
  [mei.parse, '3', 0.03],
  [mei.parse, '0.5%', 0.005],
  [wholeNumber({ from: 0, to: 20 }), '0', 0],
  [SEED.parse, '4294967295', 4294967295],
  [SHARD.parse, '2/3', { index: 2, count: 3 }],
  [list, ' a, b,,a', ['a', 'b']],
  [parts, 'power', ['power']],
  [explain.parse, 'all', 'all'],
])('%p reads %j', (parse, text, value) => {
  expect(parse?.(text)).toEqual(value);
});

test.each([
  [
    COMPARISON_OPTIONS.asOf.parse,
    ['2025-02-29', '2999-01-01', '31.1.2026', '2026-1-31', '2026-01-31T10', 'latest'],
    /must be a day before today/,
  ],
  [duration, ['', '0', '-5', '5 days', '25h', 'soon'], /must be a time/],
  [(/** @type {string} */ text) => duration(text, 600), ['11m'], /at most 10m/],
  [mei.parse, ['', '0', '101', 'three'], /must be a number above 0/],
  [wholeNumber({ from: 16, to: 10_000 }), ['', '15', '16.5', '1e3', '10001'], /from 16 to 10000/],
  [SEED.parse, ['-1', '4294967296'], /whole number/],
  [SHARD.parse, ['0/3', '4/3', '1', '1/', 'a/b', '-1/3', '1/3/4', ' 1/3', ''], /such as 2\/3/],
  [parts, ['pwer'], /no 'pwer'; did you mean 'power'\?/],
  [parts, [','], /Choices: power, placements/],
  [explain.parse, ['al'], /did you mean 'all'\?/],
])('%p refuses %j', (parse, texts, message) => {
  for (const text of texts) expect(() => parse?.(text)).toThrow(message);
});
