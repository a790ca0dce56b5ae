import { expect, test } from '@jest/globals';
import { parseVariantSpec } from './parse-variant-spec.js';
import { setAxes } from './set-axes.js';

test('axes go behind the name and before the Node', () => {
  expect(setAxes('linked-list', ['object-id=packed'])).toBe('linked-list+object-id=packed');
  expect(setAxes('family:1.2.3+a=b@node=22', ['c=d', 'e=f'])).toBe(
    'family:1.2.3+a=b+c=d+e=f@node=22',
  );
});

test('what is set becomes part of the spec', () => {
  expect(parseVariantSpec(setAxes('registry:group:name@5.4.0', ['c=d']))).toMatchObject({
    kind: 'package',
    version: '5.4.0',
    settings: { c: 'd' },
  });
});

test('an axis that the spec sets already is refused where it is read', () => {
  expect(() => parseVariantSpec(setAxes('name+a=b', ['a=c']))).toThrow(/comes twice/);
});

test.each(['npm:bson@7.2.0', 'git:../js-bson@main', 'path:../js-bson'])(
  '%s has no axes',
  (spec) => {
    expect(() => setAxes(spec, ['a=b'])).toThrow(/has no axes/);
  },
);
