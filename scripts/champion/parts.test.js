import { SECTIONS, planParts } from './parts.js';

test('each section is measured under both versions of Node, each operation apart', () => {
  const [section] = SECTIONS;
  const names = planParts([section]).map(({ name }) => name);
  expect(names).toEqual([
    'built-in-node20-serialize',
    'built-in-node20-deserialize',
    'built-in-node24-serialize',
    'built-in-node24-deserialize',
  ]);
});

test('the parts take the time that is given', () => {
  const total = planParts(SECTIONS, 20).reduce((sum, { seconds }) => sum + seconds, 0);
  expect(Math.abs(total - 20 * 60)).toBeLessThan(30);
});

test('both halves of the documents from elsewhere are measured, none twice', () => {
  const corpora = SECTIONS.flatMap((section) => (section.name === 'cold' ? [] : section.corpora));
  expect(new Set(corpora).size).toBe(corpora.length);
  expect(corpora.filter((name) => name.startsWith('npm-'))).toHaveLength(24);
});
