function* generateDocuments() {
  yield {};
}

/**
 * One document without a field: what a call costs whatever it is given. Families without documents of their own are
 * measured on it.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'empty',
  stresses: 'one document without a field: the fixed cost of a call',
  digest: 'sha256:49e8e3297545c15ab6a79471a7a34d43e24a8f1cb25ea3d8417c61f699267a3f',
  documents: generateDocuments,
};
