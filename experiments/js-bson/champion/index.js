/**
 * Everything that the npm package `bson` exports. CommonJS gets the same module by `require`, for which it and
 * its imports must have no top-level await.
 */
export * from './bson.js';
export * as BSON from './bson.js';
