import { materializeDocuments } from '../../../corpora/support/materialize.js';
import { UsageError } from '../../../harness/lib/errors.js';
import { takeBytes } from '../../../harness/worker/bound.js';
import { takeExports } from './support/operation.js';
import { blankGeneratedIds } from './support/generated-ids.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * The data of an application that creates a comment.
 * @typedef {object} Material
 * @property {string} name
 * @property {string} email
 * @property {string} movieIdHex
 * @property {string} text
 * @property {number} dateMs since 1970
 */

/**
 * @typedef {object} State
 * @property {(document: object) => Uint8Array} serialize
 * @property {new (hex?: string) => object} ObjectId
 * @property {Material[]} materials
 * @property {Uint8Array | null} last result of the latest call, kept to prevent dead-code elimination
 */

/** "Create new doc" of NODE-6246 (js-bson #703). @type {Operation<State>} */
export const operation = {
  summary: 'an application creates a document: a comment with a new ObjectId, to BSON',
  defaultCorpora: ['comments:100'],
  takesCorpus: ({ firstDocument }) => isComment(firstDocument),

  async prepare(module, corpus) {
    const { serialize, ObjectId } = takeExports(module, ['serialize', 'ObjectId']);
    const documents = await materializeDocuments(module, corpus);
    const materials = documents.map(function takeOnce(document, index) {
      return takeMaterial(document, `document ${index} of ${corpus.label}`);
    });
    return { serialize, ObjectId, materials, last: null };
  },

  run(state, passes) {
    const { materials } = state;
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < materials.length; index++) {
        state.last = createComment(state, materials[index]);
      }
    }
  },

  *spotCheck(state, { pick, maxPasses }) {
    const { materials } = state;
    const material = materials[pick(materials.length)];
    const field = /** @type {const} */ (['name', 'email', 'text'])[pick(3)];
    const before = material[field];
    state.materials = [material];
    try {
      yield 1 + pick(maxPasses);
      material[field] = `${before}${pick(1_000)}`;
      const thrown = yield 1;
      if (thrown !== undefined) return `threw ${String(thrown)}`;
      // The same but for the generated id, with text that is not the same string.
      const copy = { ...material, [field]: Buffer.from(material[field]).toString() };
      const [found, expected] = blankGeneratedIds(() => [
        /** @type {Uint8Array} */ (takeBytes(state.last)),
        createComment(state, copy),
      ]);
      return found.equals(expected)
        ? null
        : `after a change of ${field} it writes another document`;
    } finally {
      material[field] = before;
      state.materials = materials;
    }
  },

  output(state) {
    return blankGeneratedIds(function createAll() {
      return state.materials.map(function createOnce(material) {
        return createComment(state, material);
      });
    });
  },

  async explainDifference(expected, found) {
    const { explainByteDifference } = await import('../../support/explain-difference.js');
    return explainByteDifference(expected, found);
  },
};

/** @type {(state: State, material: Material) => Uint8Array} */
function createComment({ serialize, ObjectId }, { name, email, movieIdHex, text, dateMs }) {
  return serialize({
    _id: new ObjectId(),
    name,
    email,
    movie_id: new ObjectId(movieIdHex),
    text,
    date: new Date(dateMs),
  });
}

/**
 * @type {(document: Record<string, any>, where: string) => Material}
 * @throws {UsageError} when it is not a comment
 */
function takeMaterial(document, where) {
  if (!isComment(document)) {
    throw new UsageError(
      `${where} is not a comment with name, email, text, movie_id (an ObjectId) and date`,
      { remedy: 'choose a corpus of comments, such as comments:100' },
    );
  }
  const { name, email, movie_id: movieId, text, date } = document;
  return { name, email, movieIdHex: movieId.toHexString(), text, dateMs: date.getTime() };
}

/** @type {(document: Record<string, any>) => boolean} */
function isComment({ name, email, movie_id: movieId, text, date }) {
  return (
    [name, email, text].every((each) => typeof each === 'string') &&
    typeof movieId?.toHexString === 'function' &&
    date instanceof Date
  );
}
