import { writeEjson } from './support/ejson.js';

export const operation = writeEjson('documents to relaxed Extended JSON text', { relaxed: true });
