/**
 * Module hooks that load modules separately for each arm, as if each had its own checkout. A module that was
 * loaded with `?arm=NAME` passes the name on to everything it imports.
 */

/** @import { ResolveHook } from 'node:module' */

/** @type {ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  const resolved = await nextResolve(specifier, context);
  const arm = findArm(context.parentURL);
  if (arm === null || !resolved.url.startsWith('file:')) return resolved;
  const url = new URL(resolved.url);
  url.searchParams.set('arm', arm);
  return { ...resolved, url: url.href };
}

/**
 * @param {string | undefined} url of the module that imports
 * @returns {string | null}
 */
function findArm(url) {
  return url?.startsWith('file:') === true ? new URL(url).searchParams.get('arm') : null;
}
