import { Session } from 'node:inspector/promises';

/**
 * Opens an inspector session with this process.
 * @type {() => { post: (method: string, params?: object) => Promise<any>, close: () => void }}
 */
export function openInspector() {
  const session = new Session();
  session.connect();
  return {
    post: (method, params) => /** @type {any} */ (session).post(method, params),
    close: () => session.disconnect(),
  };
}
