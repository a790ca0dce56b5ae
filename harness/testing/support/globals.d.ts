/** What jest gives to every file with tests, without an import. */
import type * as jestGlobals from '@jest/globals';

declare global {
  const afterAll: typeof jestGlobals.afterAll;
  const afterEach: typeof jestGlobals.afterEach;
  const beforeAll: typeof jestGlobals.beforeAll;
  const beforeEach: typeof jestGlobals.beforeEach;
  const describe: typeof jestGlobals.describe;
  const expect: typeof jestGlobals.expect;
  const it: typeof jestGlobals.it;
  const jest: Pick<typeof jestGlobals.jest, 'fn' | 'spyOn' | 'restoreAllMocks'>;
  const test: typeof jestGlobals.test;
}
