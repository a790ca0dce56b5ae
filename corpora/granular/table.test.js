import { serialize } from 'bson';
import { describeDocument } from '../support/statistics.js';
import { readExactTypes } from '../support/document-text.js';
import { corpora } from './table.js';

const SHAPES = ['', '-array-1', '-array-10', '-array-100', '-array-1000'];
const types = corpora.map(({ name }) => name).filter((name) => !name.includes('-array-'));

/** @param {string} name */
function listDocuments(name) {
  return [...(corpora.find((each) => each.name === name)?.documents() ?? [])];
}

describe.each(types)('granular type %s', (type) => {
  it('has a corpus of single values and one for each array length', () => {
    const names = corpora
      .map(({ name }) => name)
      .filter((name) => `${name}-`.startsWith(`${type}-`));
    expect(names).toEqual(SHAPES.map((shape) => `${type}${shape}`));
  });

  it('has one value, or one array of values, of that type in every document', () => {
    const typesSeen = new Set();
    for (const shape of SHAPES) {
      const length = Number(/-array-(\d+)$/.exec(shape)?.[1] ?? 1);
      const found = listDocuments(`${type}${shape}`).map((document) => {
        const { keys, types } = describeDocument(serialize(document));
        const { array: arrays = 0, ...others } = types;
        for (const name of Object.keys(others)) typesSeen.add(name);
        return `${keys.length} key, ${arrays} arrays, values: ${Object.values(others)}`;
      });
      const arrays = shape === '' ? 0 : 1;
      expect(new Set(found)).toEqual(new Set([`1 key, ${arrays} arrays, values: ${length}`]));
    }
    expect(typesSeen.size).toBe(1);
  });
});

describe('object-id', () => {
  it('names a single value _id', () => {
    expect(Object.keys(listDocuments('object-id')[0] ?? {})).toEqual(['_id']);
  });

  it.each(SHAPES)('%s has unique values', (shape) => {
    const ids = listDocuments(`object-id${shape}`)
      .flatMap((document) => Object.values(readExactTypes(serialize(document))).flat())
      .map((id) => id.toHexString());
    expect(ids.length).toBeGreaterThanOrEqual(100);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it.each([
  ['object-id-array-1000', 16_903],
  ['string-array-1000', 49_903],
])('%s has the size of the published document', (name, sizeBytes) => {
  const sizes = listDocuments(name).map((document) => serialize(document).length);
  expect(new Set(sizes)).toEqual(new Set([sizeBytes]));
});
