import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as bson from 'bson';
import { testMore } from '../../../harness/testing/support/gates.js';
import { loadVariants } from '../codec/test-support/variants.js';
import { makeTestDirectory } from '../../../harness/testing/support/directories.js';
import { CONTRACT, findKnownDifferences, runContract } from './run-contract.js';
import { BROKEN_CODECS } from './test-support/broken-codecs.js';

const variants = await loadVariants();
const ROWS = CONTRACT.flatMap(({ rows }) => rows);
/** Rows that check nothing that a codec could break under the running Node. */
const UNCHECKED = process.versions.node.startsWith('22.') ? ['map-non-string-keys'] : [];

/**
 * @param {object} module
 * @param {string} name of the only row to check
 * @param {string} [spec]
 */
async function runRow(module, name, spec = 'a-variant') {
  const rows = ROWS.filter((row) => row.name === name);
  const [found] = await runContract(module, bson, { spec }, [{ title: 'One', rows }]);
  return found;
}

test('rows have unique kebab-case names and promises of one line', () => {
  const names = ROWS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, promise } of ROWS) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(promise.length).toBeLessThan(100);
    expect(promise).not.toContain('\n');
  }
});

test('the reference keeps the contract', async () => {
  const rows = await runContract(bson, bson, { spec: 'npm:bson@7.3.4' });
  expect(rows.filter(({ outcome }) => outcome !== 'holds')).toEqual([]);
  expect(rows.map(({ name }) => name)).toEqual(ROWS.map(({ name }) => name));
});

describe('variants', () => {
  testMore.each(variants)(
    '%s keeps the contract except for the rows it declares',
    async (name, module) => {
      const rows = await runContract(module, bson, { spec: name });
      expect(rows.filter(({ outcome }) => outcome === 'fails')).toEqual([]);
      const declared = Object.keys(module.variant.breaks ?? {});
      const differing = rows.filter(({ outcome }) => outcome === 'differs').map((row) => row.name);
      // How deep a stack reaches depends on what was optimized; `variants/limits.test.js` exceeds it.
      const isCertain = (/** @type {string} */ row) => row !== 'maximum-depth';
      expect(differing.filter(isCertain).sort()).toEqual(declared.sort());
    },
  );
});

describe('a broken codec', () => {
  test('exists for every row', () => {
    expect(Object.keys(BROKEN_CODECS).sort()).toEqual(ROWS.map(({ name }) => name).sort());
  });

  for (const [name, breakCodec] of Object.entries(BROKEN_CODECS)) {
    (UNCHECKED.includes(name) ? test.skip : test)(`fails ${name}`, async () => {
      const row = await runRow({ ...bson, ...breakCodec(bson) }, name);
      expect(row).toMatchObject({ name, outcome: 'fails', detail: expect.any(String) });
      expect(row.detail).not.toMatch(/is not a function|Cannot read|of undefined/);
    });
  }
});

describe('a NaN', () => {
  /** @param {(nan: bigint) => bigint} change of the bits in which a codec writes a NaN */
  function writeNan(change) {
    return {
      ...bson,
      /** @param {bson.Document} document */
      serialize(document) {
        const bytes = Buffer.from(bson.serialize(document));
        if (Number.isNaN(document.a) && bytes.length === 16) {
          bytes.writeBigUInt64LE(change(bytes.readBigUInt64LE(7)), 7);
        }
        return bytes;
      },
    };
  }

  test('that signals may become quiet', async () => {
    const row = await runRow(
      writeNan((bits) => bits | 0x0008000000000000n),
      'extreme-numbers',
    );
    expect(row.outcome).toBe('holds');
  });

  test.each([
    ['its payload', () => 0x7ff8000000000000n],
    ['its sign', (/** @type {bigint} */ bits) => bits & 0x7fffffffffffffffn],
  ])('keeps %s', async (_, change) => {
    const row = await runRow(writeNan(change), 'extreme-numbers');
    expect(row).toMatchObject({
      outcome: 'fails',
      detail: expect.stringMatching(/^NaN .*, round trip/),
    });
  });
});

describe('declared differences', () => {
  const broken = { ...bson, ...BROKEN_CODECS['cycles'](bson) };
  const reason = 'for a good reason';

  test('are not failures', async () => {
    const row = await runRow({ ...broken, variant: { breaks: { cycles: reason } } }, 'cycles');
    expect(row).toMatchObject({ outcome: 'differs', detail: reason });
  });

  test('excuse no other row', async () => {
    const row = await runRow({ ...broken, variant: { breaks: { raw: reason } } }, 'cycles');
    expect(row.outcome).toBe('fails');
  });

  test('that do not occur are failures', async () => {
    const row = await runRow({ ...bson, variant: { breaks: { cycles: reason } } }, 'cycles');
    expect(row.outcome).toBe('fails');
    expect(row.detail).toBe('declared to break (for a good reason), but holds');
  });

  test('of published versions apply to ranges of versions', () => {
    const known = [
      { packageName: 'bson', versions: '>=7.2.0 <7.10.0', row: 'raw', reason },
      { packageName: 'bson', versions: '>=7.9.0', row: 'json', reason },
    ];
    const find = (/** @type {string} */ spec) => Object.keys(findKnownDifferences(spec, known));
    expect(find('npm:bson@7.1.9')).toEqual([]);
    expect(find('npm:bson@7.2.0')).toEqual(['raw']);
    expect(find('npm:bson@7.9.1')).toEqual(['raw', 'json']);
    expect(find('npm:bson@7.10.0')).toEqual(['json']);
    expect(find('npm:other@7.2.0')).toEqual([]);
    expect(find('linked-list')).toEqual([]);
    expect(find('path:../npm:bson@7.2.0/x')).toEqual([]);
  });

  test('of a published version apply to its spec', async () => {
    const row = await runRow(broken, 'cycles', 'npm:bson@7.2.0');
    expect(row).toMatchObject({ outcome: 'differs', detail: expect.stringContaining('scope') });
  });
});

test('a codec without classes is checked with those of the reference', async () => {
  const { serialize, deserialize } = bson;
  const rows = await runContract({ serialize, deserialize }, bson, { spec: 'partial' });
  expect(rows.filter(({ outcome }) => outcome !== 'holds')).toEqual([]);
});

test('functions are not taken from the reference, and a missing one fails rows', async () => {
  const rows = await runContract({ serialize: bson.serialize }, bson, { spec: 'partial' });
  expect(rows).toHaveLength(ROWS.length);
  expect(rows.find(({ name }) => name === 'raw')).toMatchObject({ outcome: 'fails' });
});

const path = makeTestDirectory('known');

test('a checkout may have the differences of its published version, or may have fixed them', async () => {
  mkdirSync(join(path, 'lib'));
  writeFileSync(join(path, 'lib', 'package.json'), '{"type":"module"}');
  /** @param {object} module  @param {string} version  @param {string} [spec] */
  const judge = async (module, version, spec = 'git:../js-bson@0231603') => {
    writeFileSync(join(path, 'package.json'), JSON.stringify({ name: 'bson', version }));
    const rows = ROWS.filter(({ name }) => name === 'maximum-depth');
    const variant = { spec, modulePath: join(path, 'lib', 'bson.mjs') };
    const [row] = await runContract(module, bson, variant, [{ title: 'One', rows }]);
    return row.outcome;
  };
  const broken = { ...bson, ...BROKEN_CODECS['maximum-depth'](bson) };
  expect(await judge(broken, '7.2.0')).toBe('differs');
  expect(await judge(bson, '7.2.0')).toBe('holds');
  expect(await judge(broken, '7.3.0')).toBe('fails');
  expect(await judge(broken, '7.2.0', 'generator')).toBe('fails');
});
