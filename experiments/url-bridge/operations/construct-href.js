import { makeConstructOperation } from './support/construct.js';

export const operation = makeConstructOperation(
  'text to a URL object, of which the href is read',
  function readHref(url, kept) {
    kept.href = url.href;
  },
);
