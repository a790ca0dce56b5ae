/** For TypeScript in CommonJS and ES modules alike. */
export * from 'bson';
