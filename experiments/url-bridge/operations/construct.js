import { makeConstructOperation, makeGettersReader } from './support/construct.js';

export const operation = makeConstructOperation('text to a URL object', makeGettersReader(0));
