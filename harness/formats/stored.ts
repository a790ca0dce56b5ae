/** Small files of the cache and of imported corpora. */

/** The record of an imported corpus; its documents are in the store. */
export interface ImportRecord {
  /** Version of this format, counted apart from the others. */
  formatVersion: 1;
  /** Name of the corpus. */
  name: string;
  /** Where it came from, in one line. */
  stresses: string;
  /** Digest of the canonical BSON. */
  digest: string;
  /** Digest of the Extended JSON. */
  textDigest: string;
  /** What the import had to say. */
  notes?: string[];
  /** Values that changed when the reference read and wrote them. */
  changedValues?: number;
}

/** build.json of the cache: how a checkout was built. */
export interface BuildRecord {
  /** The command. */
  build: string;
}

/** package-record.json of the cache: a package that a family installed. */
export interface PackageRecord {
  /** Subresource integrity of the package. */
  integrity: string;
  /** What the package says of itself, in one line. */
  idea: string;
  /** Where it comes from. */
  source: string;
}

/** package.json of a checkout, as far as it is read. */
export interface PackageManifest {
  name?: string;
  version?: string;
  description?: string;
  main?: string;
  /** Resolved by the rules of Node. */
  exports?: unknown;
  /** Commands by name. */
  scripts?: Record<string, string>;
  [key: string]: unknown;
}
