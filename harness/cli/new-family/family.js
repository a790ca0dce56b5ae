// A family is a set of variants of one codec that can be compared with each other. This folder is a whole one: replace
// the codec with your own, one file at a time. What each file exports is described in harness/formats/family.ts of
// Assay.

export const family = {
  // The name of this folder.
  name: 'my-codec',
  summary: 'objects to JSON text and back',
  // Correct by definition: another variant whose output differs is refused before anything is timed.
  reference: 'json',
  // Names of npm packages of which every version is a variant: ['my-codec'] allows `compare npm:my-codec@1.0.0 path:.`
  packages: [],
  // A module or a checkout with the same functions may be a variant, too: `compare b path:src/codec.js --family my-codec`.
  takesModules: true,
  // What `compare` measures unless --op and --corpus say otherwise.
  defaultOperations: ['encode', 'decode'],
  defaultCorpora: ['my-codec-orders'],
};
