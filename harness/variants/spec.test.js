import { UsageError } from '../lib/errors.js';
import { changeVersion, parseVariantSpec, setAxes } from './spec.js';

describe('a variant spec', () => {
  test.each([
    ['linked-list', { kind: 'built-in', family: null, name: 'linked-list', settings: {} }],
    ['java-decode:5.4.0', { kind: 'built-in', family: 'java-decode', name: '5.4.0', settings: {} }],
    [
      'linked-list+object-id=pooled+pool-size=100',
      {
        kind: 'built-in',
        family: null,
        name: 'linked-list',
        settings: { 'object-id': 'pooled', 'pool-size': '100' },
      },
    ],
    ['npm:bson@7.2.0', { kind: 'npm', packageName: 'bson', version: '7.2.0', overrides: {} }],
    [
      'npm:@a/b@1.0.0-rc.1+@c/d=2.0.0+e=3.0.0-rc.1',
      {
        kind: 'npm',
        packageName: '@a/b',
        version: '1.0.0-rc.1',
        overrides: { '@c/d': '2.0.0', e: '3.0.0-rc.1' },
      },
    ],
    ['git:../js-bson@0231603', { kind: 'git', directory: '../js-bson', ref: '0231603' }],
    ['git:a@b/c@HEAD~2', { kind: 'git', directory: 'a@b/c', ref: 'HEAD~2' }],
    ['git:.@merge-base', { kind: 'git', directory: '.', ref: 'merge-base' }],
    ['path:../js-bson', { kind: 'path', path: '../js-bson' }],
  ])('%s is parsed, with and without a pin', (text, expected) => {
    expect(parseVariantSpec(text)).toEqual({ ...expected, text, runtime: null });
    const pinned = `${text}@node=22.11.0`;
    expect(parseVariantSpec(pinned)).toEqual({
      ...expected,
      text: pinned,
      runtime: 'node@22.11.0',
    });
  });

  test.each([
    ['npm:JSONStream', { packageName: 'JSONStream', version: 'latest' }],
    ['npm:@a/b@next', { packageName: '@a/b', version: 'next' }],
    ['npm:bson@>=7.0.0 <8', { packageName: 'bson', version: '>=7.0.0 <8' }],
    ['npm:../bson-7.2.0.tgz', { packageName: '', version: '../bson-7.2.0.tgz', isArchive: true }],
    [
      'npm:@a/b@https://host.example/b.tar.gz?raw@1',
      { packageName: '@a/b', version: 'https://host.example/b.tar.gz?raw@1', isArchive: true },
    ],
  ])('%s stands for a version, or is an archive', (text, expected) => {
    expect(parseVariantSpec(text)).toMatchObject({ kind: 'npm', ...expected });
  });

  test.each([
    'npm:',
    'npm:../x@1.0.0',
    'npm:-g@1.0.0',
    'npm:a@-g',
    'npm:a@file:..',
    'npm:a@npm:b',
    'npm:a@b/c',
    'npm:a@../b',
  ])('refuses %s, which is no version of a package', (text) => {
    expect(() => parseVariantSpec(text)).toThrow(/is not a version of a package/);
  });

  test.each([
    'npm:a@1.0.0+b',
    'npm:a@1.0.0+b=^1.0.0',
    'npm:a@1.0.0+b=1.0.0+b=2.0.0',
    'npm:a@1.0.0+a=2.0.0',
    'npm:a@1.0.0+../b=1.0.0',
  ])('refuses %s, which sets no dependency', (text) => {
    expect(() => parseVariantSpec(text)).toThrow(/is not DEPENDENCY=VERSION with an exact version/);
  });

  test.each([
    'git:../x',
    'git:@main',
    'git:x@-rf',
    'git:x@a..b',
    'git:x@$(id)',
    'git:x@a b',
    'git:x@',
    'git:codec@--upload-pack=x',
  ])('refuses %s, which is not a revision', (text) => {
    expect(() => parseVariantSpec(text)).toThrow(/is not a revision of a checkout/);
  });

  test('may be pinned to a release line', () => {
    expect(parseVariantSpec('generator@node=22')).toMatchObject({
      name: 'generator',
      runtime: 'node@22',
    });
  });

  test('may be pinned to any runtime', () => {
    expect(parseVariantSpec('npm:bson@7.3.4@bun=1.4')).toMatchObject({
      kind: 'npm',
      version: '7.3.4',
      runtime: 'bun@1.4',
    });
  });

  test.each(['', 'v22', '22.', 'latest', '22@24', '$(id)'])('refuses Node %j', (version) => {
    expect(() => parseVariantSpec(`generator@node=${version}`)).toThrow(
      /not a (?:version|variant)/,
    );
  });

  test('refuses an unknown runtime with the nearest', () => {
    expect(() => parseVariantSpec('generator@bnu=1')).toThrow(
      /no runtime 'bnu'; did you mean 'bun'/,
    );
  });

  test.each(['a+', 'a+b', 'a+b=', 'a+=c', 'a+b=c+b=d', 'a+b=../c'])('refuses %j', (text) => {
    expect(() => parseVariantSpec(text)).toThrow(/AXIS=VALUE/);
  });

  test.each(['', '../generator', 'a b', '$(id)', 'path:', 'generator\n'])('refuses %j', (text) => {
    expect(() => parseVariantSpec(text)).toThrow(UsageError);
  });
});

test('another version of a package keeps the versions of dependencies that are set', () => {
  const spec = /** @type {import('./spec.js').NpmSpec} */ (parseVariantSpec('npm:a@1.0.0+b=2.0.0'));
  expect(changeVersion(spec, '1.1.0')).toBe('npm:a@1.1.0+b=2.0.0');
});

test('settings are inserted after the name, before the pin', () => {
  expect(setAxes('linked-list', ['object-id=packed'])).toBe('linked-list+object-id=packed');
  expect(setAxes('family:1.2.3+a=b@node=22', ['c=d', 'e=f'])).toBe(
    'family:1.2.3+a=b+c=d+e=f@node=22',
  );
});

test('added settings are parsed as part of the spec', () => {
  expect(parseVariantSpec(setAxes('registry:group:name@5.4.0', ['c=d']))).toMatchObject({
    kind: 'package',
    version: '5.4.0',
    settings: { c: 'd' },
  });
});

test('an axis set twice is refused when the spec is parsed', () => {
  expect(() => parseVariantSpec(setAxes('name+a=b', ['a=c']))).toThrow(/is a duplicate/);
});

test.each(['npm:bson@7.2.0', 'git:../js-bson@main', 'path:../js-bson'])(
  '%s has no axes',
  (spec) => {
    expect(() => setAxes(spec, ['a=b'])).toThrow(/has no axes/);
  },
);
