/** What this process has loaded. Imported before the variant, which could replace what it uses. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const { keys } = Object;
const { cache } = createRequire(import.meta.url);

/**
 * Returns what lists the files of the modules that this process has loaded: ES modules, CommonJS, JSON and native
 * addons. It asks V8, which takes a few milliseconds: call it after what is timed.
 *
 * @returns {Promise<(() => string[]) | undefined>} absolute paths; undefined under a runtime that cannot tell
 */
export async function openLoadedFiles() {
  if ('bun' in process.versions || 'deno' in process.versions) return undefined;
  const { Session } = await import('node:inspector');
  const { connect } = Session.prototype;
  /** @type {(this: object, method: string, ...rest: any[]) => void} */
  const post = Session.prototype.post;
  return function listLoadedFiles() {
    const session = new Session();
    connect.call(session);
    /** @type {string[]} */
    let urls = [];
    post.call(session, 'Profiler.enable');
    post.call(
      session,
      'Profiler.getBestEffortCoverage',
      (/** @type {unknown} */ _error, /** @type {{ result: { url: string }[] }} */ { result }) => {
        urls = result.map(({ url }) => url);
      },
    );
    const modules = urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
    // JSON and native addons are no scripts.
    return [...new Set([...modules, ...keys(cache)])];
  };
}
