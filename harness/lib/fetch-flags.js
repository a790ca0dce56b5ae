/**
 * By default npm tries three times, with pauses of up to a minute, and waits five minutes for each
 * answer. These limits report a registry that cannot be reached within a minute. A separate file, because
 * `scripts/set-up.js` runs before packages are installed.
 */
export const FETCH_FLAGS = Object.freeze([
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=1000',
  '--fetch-timeout=20000',
]);
