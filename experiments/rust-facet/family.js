/** @import { Family } from '../../harness/formats/types.ts' */

/** How reading by reflection differs from serde. */
export const CONVERTS_SCALARS =
  'A field accepts whatever facet-format 0.47.1 can convert, where serde fails: for a number null and numeric text, for an i32 the low bits of an int64.';

/** Corpora with a struct in `crate/src/subjects/`. */
const CORPORA = ['foo', 'foo-document', 'movies', 'deep'];

/** @type {Family} */
export const family = {
  name: 'rust-facet',
  summary: 'BSON of typed structs in Rust, by reflection (facet) and by serde',
  reference: 'serde',
  packages: [],
  defaultOperations: ['serialize', 'deserialize'],
  defaultCorpora: CORPORA,
  takesCorpus: ({ name }) => CORPORA.includes(name),
  axes: [
    { name: 'peek', summary: 'what peeking at the next event returns', values: ['clone', 'delta'] },
    {
      name: 'dispatch',
      summary: 'how the serializer finds the type of a value',
      values: ['chain', 'type-id'],
    },
    {
      name: 'capacity',
      summary: 'initial capacity of the output in bytes',
      values: ['0', '1024'],
    },
  ],
  memory: ['allocation'],
};
