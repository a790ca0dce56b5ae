import { makePickOperation } from './support/pick.js';

export const operation = makePickOperation(8);
