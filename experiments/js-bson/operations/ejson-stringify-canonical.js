import { writeEjson } from './support/ejson.js';

export const operation = writeEjson('documents to canonical Extended JSON text', {
  relaxed: false,
});
