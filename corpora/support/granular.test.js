import { describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { describeDocument } from './document-statistics.js';
import { listCorpusModules, loadCorpora } from './registry.js';

const modules = listCorpusModules().filter(({ group }) => group === 'granular');

describe.each(modules)('granular type $name', (module) => {
  it('fills every document with one value, or one array of values, of that type alone', async () => {
    const corpora = await loadCorpora(module);
    const typesSeen = new Set();
    for (const corpus of corpora) {
      const length = Number(/-array-(\d+)$/.exec(corpus.name)?.[1] ?? 1);
      for (const document of corpus.documents()) {
        const { keys, types } = describeDocument(serialize(document));
        const { array: arrays = 0, ...others } = types;
        expect(keys).toHaveLength(1);
        expect(arrays).toBe(corpus.name === module.name ? 0 : 1);
        expect(Object.values(others)).toEqual([length]);
        typesSeen.add(Object.keys(others)[0]);
      }
    }
    expect(corpora).toHaveLength(5);
    expect(typesSeen.size).toBe(1);
  });
});
