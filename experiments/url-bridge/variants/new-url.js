/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'The URL class of the running Node.',
  source:
    'Node: legacy parser to 19.6, Ada with a callback in 19.7 to 19.9, with offsets from 20.0.0',
  isPortable: true,
};

export const { URL } = globalThis;
