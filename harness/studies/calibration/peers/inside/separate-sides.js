/**
 * Module hooks that load modules separately for each arm, as if each had its own checkout. A module that was
 * loaded with `?side=NAME` passes the name on to everything it imports.
 */

/** @import { ResolveHook } from 'node:module' */

/** @type {ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  const resolved = await nextResolve(specifier, context);
  const side = findSide(context.parentURL);
  if (side === null || !resolved.url.startsWith('file:')) return resolved;
  const url = new URL(resolved.url);
  url.searchParams.set('side', side);
  return { ...resolved, url: url.href };
}

/**
 * @param {string | undefined} url of the module that imports
 * @returns {string | null}
 */
function findSide(url) {
  return url?.startsWith('file:') === true ? new URL(url).searchParams.get('side') : null;
}
