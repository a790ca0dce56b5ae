import { EJSON, serialize } from 'bson';
import { findTextChanges } from './changes.js';
import { readExactTypes } from './document-text.js';

/** @param {string} text */
function findChanges(text) {
  const document = EJSON.parse(text, { relaxed: false });
  const bytes = serialize(document, { ignoreUndefined: false });
  return findTextChanges(text, readExactTypes(bytes));
}

describe('findTextChanges finds', () => {
  it.each([
    ['no date', '{"a":{"$date":"yesterday"}}', 'a', /^\{"\$date":"yesterday"\}$/, /1970-01-01/],
    ['a day that is none', '{"a":{"$date":"2023-02-29T12:00:00Z"}}', 'a', /02-29/, /2023-03-01/],
    ['microseconds', '{"a":{"$date":"2023-01-01T00:00:00.123456Z"}}', 'a', /456Z/, /\.123Z/],
    ['local time', '{"a":{"$date":"2023-01-01T00:00:00"}}', 'a', /00:00"/, /2023-01-01|2022-12-31/],
    [
      'a date out of range',
      '{"a":{"$date":{"$numberLong":"-8640000000000001"}}}',
      'a',
      /001/,
      /1970/,
    ],
    ['a long out of range', '{"a":{"$numberLong":"-9223372036854775809"}}', 'a', /809/, /807/],
    ['an int32 out of range', '{"a":{"$numberInt":"4294967297"}}', 'a', /297/, /"1"/],
    ['a fraction', '{"a":{"$numberInt":"-2.5"}}', 'a', /-2\.5/, /"-2"/],
    ['text for a number', '{"a":{"$numberDouble":"ten"}}', 'a', /ten/, /NaN/],
    ['text after a number', '{"a":{"$numberDouble":"1.5x"}}', 'a', /1\.5x/, /"1\.5"/],
    ['a double out of range', '{"a":-1e309}', 'a', /^-1e309$/, /-Infinity/],
    ['a double next to 0', '{"a":1e-400}', 'a', /^1e-400$/, /"0"/],
    ['an integer beyond 2⁵³', '{"a":9007199254740993}', 'a', /993$/, /992/],
    ['digits beyond a double', '{"a":0.12345678901234567890123}', 'a', /90123$/, /0\.1234/],
    [
      'a timestamp out of range',
      '{"a":{"$timestamp":{"t":1,"i":4294967296}}}',
      'a',
      /4294967296/,
      /"i":0/,
    ],
    ['damaged base64', '{"a":{"$binary":{"base64":"A*B=","subType":"00"}}}', 'a', /A\*B=/, /AA==/],
    [
      'a subtype that is none',
      '{"a":{"$binary":{"base64":"AA==","subType":"xy"}}}',
      'a',
      /xy/,
      /"00"/,
    ],
    ['a second key', '{"a":{"$numberInt":"1","b":2}}', 'a', /"b":2/, /^\{"\$numberInt":"1"\}$/],
    ['a lone surrogate', String.raw`{"a":["\udc00x"]}`, 'a.0', /udc00x/, /^"\ufffdx"$/],
    ['undefined', '{"a":{"$undefined":true}}', 'a', /undefined/, /^null$/],
    [
      'a DBPointer',
      '{"a":{"$dbPointer":{"$ref":"b","$id":{"$oid":"0123456789abcdef01234567"}}}}',
      'a',
      /dbPointer/,
      /^\{"\$ref"/,
    ],
    ['a query', '{"a":{"$regex":"^x"}}', 'a', /^\{"\$regex":"\^x"\}$/, /regularExpression/],
    ['keys that are equal', '{"x":{"a":1,"b":0,"a":"2"}}', 'x.a', /^1, then "2"$/, /^"2"$/],
    ['another order', '{"x":{"b":0,"20":1,"3":1}}', 'x', /^order b, 20, 3$/, /^3, 20, b$/],
    ['a key of odd characters', '{"a.b":{"c d":1e999}}', '"a.b"."c d"', /1e999/, /Infinity/],
  ])('%s', (_what, text, path, read, became) => {
    expect(findChanges(text)).toEqual([
      { path, read: expect.stringMatching(read), became: expect.stringMatching(became) },
    ]);
  });

  it('every change of a document, each shortened', () => {
    const text = `{"a":1e999,"b":{"c":{"$numberInt":"1.5"},"d":"${'x'.repeat(200)}\\ud800"}}`;
    const changes = findChanges(text);
    expect(changes.map(({ path }) => path)).toEqual(['a', 'b.c', 'b.d']);
    for (const { read, became } of changes) {
      expect(Math.max(read.length, became.length)).toBeLessThan(120);
    }
  });
});

test.each([
  '{"a":[1,-1.50,0,-0,1E2,5.0,0.1,0.10000000000000001,12345678901,1e22,5e-324,123456789012345680000]}',
  '{"a":"\\" \\\\","b\\"":"}],","c":[[],{},[{}]],"d":null,"e":true,"f":false,"ü😀":"\\u00fc"}',
  '{"a":{"$numberInt":"+007"},"b":{"$numberLong":"-5"},"c":{"$numberDouble":"1.0E+3"}}',
  '{"a":{"$numberDouble":"NaN"},"b":{"$numberDouble":"-Infinity"},"c":{"$numberDouble":"-0.0"}}',
  '{"a":{"$numberDecimal":"1.50"},"b":{"$numberDecimal":"12E+3"},"c":{"$numberDecimal":"NaN"}}',
  '{"a":{"$date":"2024-02-29T23:30:00.5+02:00"},"b":{"$date":"1969-12-31"},"c":{"$date":{"$numberLong":"1"}}}',
  '{"a":{"$oid":"0123456789ABCDEF01234567"},"b":{"$uuid":"00112233-4455-6677-8899-aabbccddeeff"}}',
  '{"a":{"$binary":{"subType":"5","base64":"AQI"}},"b":{"$binary":{"base64":"","subType":"80"}}}',
  '{"a":{"$regularExpression":{"pattern":"x","options":"mi"}},"b":{"$regex":"y","$options":"i"}}',
  '{"a":{"$timestamp":{"t":4294967295,"i":1}},"b":{"$minKey":1},"c":{"$maxKey":1},"d":{"$symbol":"s"}}',
  '{"a":{"$code":"f()"},"b":{"$code":"g()","$scope":{"x":1}},"c":{"$ref":"r","$id":1,"$db":"d","e":2}}',
  '{"__proto__":{"a":1},"constructor":2,"$and":[{"a":{"$gt":1}}],"$date":null}',
])('findTextChanges finds none in %s', (text) => {
  expect(findChanges(text)).toEqual([]);
});
