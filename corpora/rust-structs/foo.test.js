import { serialize } from 'bson';
import { corpora } from './foo.js';

describe('foo', () => {
  const [foo, withDocument] = corpora.map(({ documents }) => [...documents()]);

  it('is one value of the struct in the source, 43 bytes', () => {
    expect(foo).toHaveLength(1);
    expect(serialize(/** @type {object} */ (foo?.[0]))).toHaveLength(43);
  });

  it('has the same fields, followed by a document', () => {
    const [document] = /** @type {Record<string, any>[]} */ (withDocument);
    expect(Object.keys(/** @type {object} */ (document))).toEqual(['bar', 'value', 'document']);
    expect(document?.document.two.map(Number)[0]).toBe(1.5);
  });
});
