/** @import { VariantDescription } from '../../../formats/types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'does the work once',
  source: 'harness/testing/fake-family',
  settings: {
    rounds: '1',
    figures: 'measured',
    behaviour: 'none',
    when: 'always',
    where: 'everywhere',
  },
};

/** @returns {(document: Uint8Array) => Uint8Array} */
export function openReverser() {
  return reverse;
}

/** @param {Uint8Array} document */
function reverse(document) {
  return Uint8Array.from(document).reverse();
}

/** Three words of header and four fields: 56 bytes without pointer compression. */
class Leaf {
  constructor() {
    this.a = 1;
    this.b = 2;
    this.c = 3;
    this.d = 4;
  }
}

/** Three words of header and two fields: 40 bytes. */
class Root {
  constructor() {
    this.first = new Leaf();
    this.second = new Leaf();
  }
}

/** @returns {object} 152 bytes in three objects */
export function readDocument() {
  return new Root();
}
