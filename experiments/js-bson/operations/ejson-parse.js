import { readEjson } from './support/ejson.js';

export const operation = readEjson('relaxed Extended JSON text to documents', { relaxed: true });
