import { Double, Int32 } from 'bson';

/** @import { Corpus } from '../../harness/formats/types.ts' */

/** @returns {Record<string, unknown>} */
function makeFoo() {
  return { bar: { inner: new Int32(42) }, value: 'hello' };
}

function* generateFoo() {
  yield makeFoo();
}

function* generateFooDocument() {
  const document = { one: true, two: [new Double(1.5), 'thing'] };
  yield { ...makeFoo(), document };
}

/**
 * Modelled on the benchmarks of bson-rust #674: values so small that the overhead of a call shows.
 * @type {Corpus[]}
 */
export const corpora = [
  {
    name: 'foo',
    stresses: 'the overhead of a call: two fields, one of them a document with one number',
    digest: 'sha256:8fadcb4fac2c6a5ac954cd0913b58689fbb5b105e12c56c17fe4bdd330cb009d',
    documents: generateFoo,
  },
  {
    name: 'foo-document',
    stresses: 'foo with a document that has an array, which a typed reader keeps as it is',
    digest: 'sha256:726aa2d7a750b17fea4e9971981aa593c3a3dcfe78b6548fa1d65c52a55d88dd',
    documents: generateFooDocument,
  },
];
