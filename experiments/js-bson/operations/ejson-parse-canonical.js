import { readEjson } from './support/ejson.js';

export const operation = readEjson(
  'canonical Extended JSON text to documents, with the types of numbers',
  {
    relaxed: false,
  },
);
