/// <reference lib="dom" />
/** What a page asks of the process that runs the browser, which has the files. */

// Taken before a variant is loaded, which could replace them.
const { XMLHttpRequest, fetch } = globalThis;

/**
 * Waits for the answer, since the functions of Node that rely on it do not return a promise.
 *
 * @param {string} name of a question (`harness/variants/chromium/answers.js`)
 * @param {unknown} [about]
 * @param {Uint8Array<ArrayBuffer> | null} [bytes]
 * @returns {Uint8Array<ArrayBuffer>}
 * @throws {Error} that of the process, with its code
 */
export function ask(name, about, bytes = null) {
  const request = new XMLHttpRequest();
  request.open('POST', formatAddress(name, about), false);
  // A page receives bytes synchronously only as text, each as a character of this set.
  request.overrideMimeType('text/plain; charset=x-user-defined');
  request.send(bytes);
  const { responseText } = request;
  const answer = new Uint8Array(responseText.length);
  for (let index = 0; index < answer.length; index++)
    answer[index] = responseText.charCodeAt(index);
  if (request.status !== 200) throw makeError(parse(answer));
  return answer;
}

/**
 * @param {string} name
 * @param {unknown} [about]
 * @returns {any} JSON
 * @throws {Error} as `ask`
 */
export function askJson(name, about) {
  return parse(ask(name, about));
}

/**
 * Lets the event loop turn meanwhile, as the browser must to answer some questions.
 *
 * @param {string} name
 * @param {unknown} [about]
 * @returns {Promise<any>} JSON
 * @throws {Error} as `ask`
 */
export async function askLater(name, about) {
  const response = await fetch(formatAddress(name), {
    method: 'POST',
    body: JSON.stringify(about ?? null),
  });
  const answer = await response.json();
  if (!response.ok) throw makeError(answer);
  return answer;
}

/** @param {string} name @param {unknown} [about] */
function formatAddress(name, about) {
  const query = new URLSearchParams({ ask: name });
  if (about !== undefined) query.set('about', JSON.stringify(about));
  return `/?${query}`;
}

/** @param {Uint8Array} bytes */
function parse(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** @param {{ message: string, code?: string }} failure */
function makeError({ message, ...rest }) {
  return Object.assign(new Error(message), rest);
}
