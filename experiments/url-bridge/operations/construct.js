import { makeConstructOperation } from './support/construct.js';
import { makeGettersReader } from './support/read-getters.js';

export const operation = makeConstructOperation('text to a URL object', makeGettersReader(0));
