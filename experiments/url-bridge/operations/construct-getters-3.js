import { makeGettersOperation } from './support/construct.js';

export const operation = makeGettersOperation(3);
