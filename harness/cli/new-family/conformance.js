// The contract: what a variant promises besides the right output for the documents of a corpus. Checked before every
// comparison and by `check VARIANT`, and shown in every report. Without modules of Node, so that it works in a browser.

/** @type {{ name: string, promise: string, check: (codec: any) => void }[]} */
const ROWS = [
  {
    name: 'round-trip',
    promise: 'a document that was written and read is the same',
    check({ encode, decode }) {
      const document = { text: 'ä', empty: '', list: [1, -2.5, 1e21, []], nothing: null, in: {} };
      expectSame(decode(encode(document)), document);
    },
  },
  {
    name: 'escapes',
    promise: 'strings are escaped as JSON.stringify does',
    check({ encode, decode }) {
      for (const text of ['"', '\\', 'a\nb', '\u0001', '\ud83d\ude00', '\\"']) {
        expectSame(encode({ [text]: text }), JSON.stringify({ [text]: text }));
        expectSame(decode(JSON.stringify([text])), [text]);
      }
    },
  },
  {
    name: 'errors',
    promise: 'text that is not JSON is refused with a SyntaxError',
    check({ decode }) {
      for (const text of ['', '{', '["a"', '{"a" 1}', '[1,]', '"a', '1 2']) {
        expectSyntaxError(() => decode(text));
      }
    },
  },
  {
    // A codec that remembers results would look fast in a loop over the same documents.
    name: 'no-stale-results',
    promise: 'a document that changed is written and read anew',
    check({ encode, decode }) {
      const document = { count: 1 };
      const before = encode(document);
      document.count = 2;
      expectSame(encode(document) === before, false);
      const object = decode(before);
      object.count = 3;
      expectSame(decode(before), { count: 1 });
    },
  },
];

/** For `--accept`, which is then checked before anything starts. */
export const rows = ROWS.map(({ name }) => name);

/** Called in a process of its own. @param {any} codec the variant */
export async function runConformance(codec) {
  const contract = ROWS.map(({ name, promise, check }) => {
    const problem = findProblem(() => check(codec));
    const outcome = problem === null ? 'holds' : 'fails';
    return { theme: 'Behaviour', name, promise, outcome, detail: problem };
  });
  // `check` can have further cases, for instance test vectors; here there are none.
  return { passed: 0, failures: [], contract };
}

/** @param {unknown} found @param {unknown} expected */
function expectSame(found, expected) {
  const [text, wanted] = [found, expected].map((value) => JSON.stringify(value));
  if (text !== wanted) throw new Error(`${text} instead of ${wanted}`);
}

/** @param {() => unknown} call */
function expectSyntaxError(call) {
  try {
    call();
  } catch (error) {
    if (error instanceof SyntaxError) return;
    throw error;
  }
  throw new Error('no SyntaxError');
}

/** @param {() => void} check */
function findProblem(check) {
  try {
    check();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
