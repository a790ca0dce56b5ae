import { assignHalves, chooseSources, listDifferences, table } from './table.js';

test('the halves of the table are those of its rule', () => {
  const halves = assignHalves(table.corpora, table.known);
  for (const { name, half } of table.corpora)
    expect([name, half]).toEqual([name, halves.get(name)]);
});

test('what was known before is not held back, whatever its digest', () => {
  const names = ['a', 'b', 'c', 'd'].map((name) => ({ name }));
  for (const { name } of names) expect(assignHalves(names, [name]).get(name)).toBe('development');
});

test('both halves have as many corpora', () => {
  const halves = [...assignHalves([{ name: 'a' }, { name: 'b' }, { name: 'c' }], []).values()];
  expect(halves.filter((half) => half === 'held back')).toHaveLength(1);
});

test('the table has exact versions, and other names than built-in corpora', () => {
  for (const source of table.corpora) {
    expect(source.package).toMatch(/^.+@\d+\.\d+\.\d+$/);
    expect(source.name).toMatch(/^npm-[a-z-]+$/);
  }
});

test('corpora are chosen by half or by name', () => {
  const count = (/** @type {any} */ half) =>
    chooseSources(table.corpora, { names: [], half }).length;
  expect(count('development') + count('held back')).toBe(count('all'));
  const [{ name }] = chooseSources(table.corpora, { names: ['npm-films'], half: 'held back' });
  expect(name).toBe('npm-films');
  expect(() => chooseSources(table.corpora, { names: ['npm-film'], half: 'all' })).toThrow(
    /no corpus 'npm-film' from elsewhere; did you mean 'npm-films'/,
  );
});

test('each difference from the table is named', () => {
  const source = {
    ...table.corpora[0],
    name: 'npm-x',
    documents: 3,
    bytes: 90,
    digest: 'sha256:1',
  };
  const found = { documentCount: 3, sizeBytes: 90, digest: 'sha256:1' };
  expect(listDifferences(source, found)).toEqual([]);
  expect(listDifferences(source, { ...found, documentCount: 4, digest: 'sha256:2' })).toEqual([
    'npm-x: documents: 4 instead of 3',
    'npm-x: digest: sha256:2 instead of sha256:1',
  ]);
});
