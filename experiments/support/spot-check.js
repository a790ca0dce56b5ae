/**
 * Spot checks of the function that has just been measured, with the documents that it was measured with. A random place
 * of one document changes between two calls. The result has to be that for a copy that nothing has seen before, and not
 * that without the change. See decision 0027.
 */

import { takeBytes } from '../../harness/worker/bound.js';
import { describeValue } from '../../harness/worker/describe-value.js';
import { chooseByteChange } from './change-bytes.js';
import { NotPlain, chooseChange, copyDocument, isHolder, isOf } from './change-document.js';

/** @import { Chance, SpotCheck } from '../../harness/formats/types.ts' */
/** @import { Change, Extent } from './change-document.js' */
/** @import { ByteVariations, DocumentVariations } from './variations.js' */

/**
 * When the document changes: not between two calls of the loop, which a variant could tell by the time in between.
 *
 * @param {Chance} chance
 * @returns {{ passes: number, before: number }} passes of the loop; how many of them are without the change, at least one
 */
function chooseMoment({ pick, maxPasses }) {
  const before = 1 + pick(maxPasses - 1);
  return { before, passes: before + 1 + pick(maxPasses - before) };
}

/**
 * @param {() => unknown} call
 * @param {unknown} [thrown] by the loop
 * @returns {string} description of the result or of what was thrown
 */
function describeOutcome(call, thrown) {
  try {
    if (thrown !== undefined) throw thrown;
    return describeValue(call());
  } catch (error) {
    return `threw ${String(error)}`;
  }
}

/**
 * @param {Change} change
 * @param {Record<'found' | 'expected' | 'unchanged', string>} results
 * @returns {string | null} what is wrong
 */
function judge({ what }, { found, expected, unchanged }) {
  if (found !== expected) {
    let at = 0;
    while (found[at] === expected[at]) at++;
    const [one, other] = [found, expected].map((text) => text.slice(Math.max(0, at - 20), at + 30));
    return `after a change of ${what} the result has ${quote(one)} where that for a new copy has ${quote(other)}`;
  }
  if (expected === unchanged) return `a change of ${what} does not change the result`;
  return null;
}

/** @param {string} text */
function quote(text) {
  return JSON.stringify(text.replaceAll('\t', ' '));
}

/**
 * @typedef {object} Writing how an operation writes
 * @property {object[]} documents
 * @property {DocumentVariations} variations of `documents`
 */

/**
 * Checks an operation that writes documents, whose loop reads `documents` and `variations` of its state.
 *
 * @template {Writing} State
 * @param {State} state
 * @param {Chance} chance
 * @param {object} how
 * @param {(document: any) => unknown} how.call the measured function
 * @param {(state: State) => unknown} how.takeLast takes the result of the last call of the loop
 * @param {Extent} [how.extent] of changes; default: any
 * @param {number} [how.passes] of the loop, all with the change
 * @returns {SpotCheck}
 */
export function* spotCheckWriter(state, chance, { call, takeLast, extent, passes }) {
  const { documents, variations } = state;
  const { holders, keys, values } = variations;
  const index = chance.pick(documents.length);
  const document = documents[index];
  const change = chooseChange(document, chance.pick, extent);
  if (change === null) return null;
  const moment = passes === undefined ? chooseMoment(chance) : { passes, before: 0 };
  let pass = 0;
  const varied = {};
  Object.defineProperty(varied, keys[index], {
    set(value) {
      holders[index][keys[index]] = value;
      if (pass++ >= moment.before) change.apply();
    },
  });
  state.documents = [document];
  Object.assign(variations, { holders: [varied], keys: [keys[index]], values: [values[index]] });
  try {
    const thrown = yield moment.passes;
    // Copied at once, because what fills it later has not written it.
    const found = describeOutcome(() => takeLast(state), thrown);
    const changed = copyDocument(document);
    change.undo();
    const unchanged = copyDocument(document);
    return judge(change, {
      found,
      expected: describeOutcome(() => takeBytes(call(changed))),
      unchanged: describeOutcome(() => takeBytes(call(unchanged))),
    });
  } catch (error) {
    if (error instanceof NotPlain) return error.message;
    throw error;
  } finally {
    change.undo();
    state.documents = documents;
    Object.assign(variations, { holders, keys, values });
  }
}

/**
 * @typedef {object} Messages as `MessageVariations`
 * @property {Buffer[]} messages
 * @property {number[]} offsets
 * @property {Uint8Array[][]} patches
 */

/**
 * Checks an operation that reads messages of a format that only its codec knows. They change as their documents do.
 *
 * @template {{ documents: object[], variations: Messages }} State
 * @param {State} state
 * @param {Chance} chance
 * @param {object} how
 * @param {(document: any) => Uint8Array} how.encode
 * @param {(message: Buffer) => unknown} how.call the measured function
 * @param {(state: State) => unknown} how.takeLast takes the result of the last call of the loop
 * @returns {SpotCheck}
 */
export function* spotCheckMessages(state, chance, { encode, call, takeLast }) {
  const { variations } = state;
  const { messages, offsets, patches } = variations;
  const index = chance.pick(messages.length);
  const message = messages[index];
  const document = copyDocument(state.documents[index]);
  const before = Buffer.from(encode(document));
  const choice = chooseChange(document, chance.pick, 'same-type');
  choice?.apply();
  const after = Buffer.from(encode(document));
  const start = offsets[index];
  const end = start + patches[index][0].length;
  const isElsewhere = after.some((byte, at) => (at < start || at >= end) && byte !== before[at]);
  if (choice === null || !isElsewhere || after.length !== message.length) return null;
  const moment = chooseMoment(chance);
  let pass = 0;
  let latest = patches[index][0];
  const varied = /** @type {any} */ ({});
  patches[index].forEach((patch, turn) => {
    Object.defineProperty(varied, turn, {
      get() {
        if (pass++ >= moment.before) message.set(after);
        return (latest = patch);
      },
    });
  });
  Object.assign(variations, { messages: [message], offsets: [start], patches: [varied] });
  try {
    const thrown = yield moment.passes;
    const found = describeOutcome(() => takeLast(state), thrown);
    const changed = Buffer.from(message);
    message.set(before);
    message.set(latest, start);
    const unchanged = Buffer.from(message);
    return judge(choice, {
      found,
      expected: describeOutcome(() => call(changed)),
      unchanged: describeOutcome(() => call(unchanged)),
    });
  } finally {
    Object.assign(variations, { messages, offsets, patches });
  }
}

/**
 * Checks an operation that reads messages, of any kind, of which there is one for each variation of a document.
 *
 * @template {{ documents: object[], messages: any[][] }} State
 * @param {State} state
 * @param {Chance} chance
 * @param {object} how
 * @param {(document: any) => any} how.encode gives another message with every call
 * @param {(message: any) => unknown} how.call the measured function
 * @param {(state: State) => unknown} how.takeLast takes the result of the last call of the loop
 * @returns {SpotCheck}
 */
export function* spotCheckTurns(state, chance, { encode, call, takeLast }) {
  const { messages } = state;
  const index = chance.pick(messages.length);
  const document = copyDocument(state.documents[index]);
  const unchanged = encode(document);
  const change = chooseChange(document, chance.pick, 'same-type');
  if (change === null) return null;
  change.apply();
  const moment = chooseMoment(chance);
  const changed = encode(document);
  let pass = 0;
  const varied = /** @type {any} */ ({});
  messages[index].forEach((message, turn) => {
    Object.defineProperty(varied, turn, {
      get: () => (pass++ >= moment.before ? changed : message),
    });
  });
  state.messages = [varied];
  try {
    const thrown = yield moment.passes;
    return judge(change, {
      found: describeOutcome(() => takeLast(state), thrown),
      expected: describeOutcome(() => call(encode(document))),
      unchanged: describeOutcome(() => call(unchanged)),
    });
  } finally {
    state.messages = messages;
  }
}

/** Changes of one result, before the next. */
const RESULT_CHANGES = 3;

/**
 * Checks an operation that reads bytes, whose loop reads `variations` of its state.
 *
 * @template {{ variations: ByteVariations }} State
 * @param {State} state
 * @param {Chance} chance
 * @param {object} how
 * @param {(bytes: Buffer) => any} how.call the measured function
 * @param {(state: State) => any} how.takeLast takes the result of the last call of the loop
 * @param {(part: import('./walk-bson.js').Part) => boolean} [how.isRead] parts of a document that it reads, if not all
 * @returns {SpotCheck}
 */
export function* spotCheckReader(state, chance, { call, takeLast, isRead }) {
  const { variations } = state;
  const { documents, view, offsets } = variations;
  const index = chance.pick(documents.length);
  const bytes = documents[index];
  const original = Buffer.from(bytes);
  const except = offsets[index] - (bytes.byteOffset - view.byteOffset);
  const change = chooseByteChange(bytes, chance.pick, { except, ...(isRead && { isRead }) });
  if (change === null) return null;
  const moment = chooseMoment(chance);
  let pass = 0;
  const varied = {
    /** @type {DataView['setUint32']} */
    setUint32(offset, value, isLittleEndian) {
      view.setUint32(offset, value, isLittleEndian);
      if (pass++ >= moment.before) change.apply();
    },
  };
  Object.assign(variations, { documents: [bytes], offsets: [offsets[index]], view: varied });

  /** @param {any} read @returns {SpotCheck} */
  function* checkNextResult(read) {
    const parts = collectParts(read);
    for (let count = 0; count < RESULT_CHANGES; count++) chooseChange(read, chance.pick)?.apply();
    const thrown = yield moment.passes;
    const again = takeLast(state);
    for (const part of collectParts(again)) {
      if (parts.has(part)) return `two results share a part: ${describeValue(part).slice(0, 80)}`;
    }
    const fresh = Buffer.from(bytes);
    return describeOutcome(() => again, thrown) === describeOutcome(() => call(fresh))
      ? null
      : 'a change of one result changes another';
  }

  try {
    const thrown = yield moment.passes;
    const read = takeLast(state);
    const found = describeOutcome(() => read, thrown);
    const changed = Buffer.from(bytes);
    change.undo();
    const unchanged = Buffer.from(bytes);
    const fault = judge(change, {
      found,
      expected: describeOutcome(() => call(changed)),
      unchanged: describeOutcome(() => call(unchanged)),
    });
    if (fault !== null || thrown !== undefined) return fault;
    // One of two further checks, since each takes as long as all before.
    if (chance.pick(2) === 0) return yield* checkNextResult(read);
    return change.isShared || describeValue(read) === found
      ? null
      : `a change of ${change.what} after the call changes the result`;
  } finally {
    Object.assign(variations, { documents, offsets, view });
    // Binary values of a result share its memory.
    original.copy(bytes);
  }
}

/**
 * @param {object} result
 * @returns {Set<object>} the objects that it consists of, without what value classes use inside: ids may share a pool
 */
function collectParts(result) {
  const parts = new Set([result]);
  for (const part of parts) {
    if (!isHolder(part) && !isOf(part, 'Code', 'DBRef')) continue;
    for (const inner of Object.values(part)) {
      if (typeof inner === 'object' && inner !== null) parts.add(inner);
    }
  }
  return parts;
}

/**
 * Checks an operation whose result is text for the documents of one page of bytes.
 *
 * @template {{ variations: ByteVariations, pages: Uint8Array[][], last: string | Uint8Array }} State
 * @param {State} state
 * @param {Chance} chance
 * @param {(page: Uint8Array[]) => string | Uint8Array} call makes the text
 * @returns {SpotCheck}
 */
export function* spotCheckPages(state, chance, call) {
  const { variations, pages } = state;
  const page = pages[chance.pick(pages.length)];
  const bytes = /** @type {Buffer} */ (page[chance.pick(page.length)]);
  const { view, offsets } = variations;
  const except =
    offsets[variations.documents.indexOf(bytes)] - (bytes.byteOffset - view.byteOffset);
  const change = chooseByteChange(bytes, chance.pick, { except, keepsTypes: true });
  if (change === null) return null;
  const maxPasses = Math.max(2, Math.floor(chance.maxPasses / page.length));
  const moment = chooseMoment({ ...chance, maxPasses });
  const { apply } = variations;
  let pass = 0;
  variations.apply = function applyAndChange(turn) {
    apply.call(variations, turn);
    if (pass++ >= moment.before) change.apply();
  };
  state.pages = [page];
  /** @param {Uint8Array[]} documents */
  const copyAll = (documents) => documents.map((each) => Buffer.from(each));
  try {
    const thrown = yield moment.passes;
    const found = describeOutcome(() => state.last, thrown);
    const changed = copyAll(page);
    change.undo();
    const unchanged = copyAll(page);
    return judge(change, {
      found,
      expected: describeOutcome(() => call(changed)),
      unchanged: describeOutcome(() => call(unchanged)),
    });
  } finally {
    change.undo();
    Object.assign(state, { pages });
    delete (/** @type {any} */ (variations).apply);
  }
}
