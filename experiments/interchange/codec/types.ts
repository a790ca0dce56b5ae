import type { VariantDescription } from '../../../harness/formats/types.ts';

/** A document of a corpus. */
export type Value = Record<string, unknown>;

/** A format as an application uses it. */
export interface Format {
  encode(document: Value): Uint8Array;
  /** @throws {Error} for what is no message */
  decode(message: Uint8Array): Value;
}

/** What a variant exports. */
export interface FormatModule {
  variant: VariantDescription;
  /** npm package that the build of the family contains. */
  libraryName?: string;
  /** Prepares the format for documents like these; outside of the timed part. Formats with a schema derive it from
   * them.
   * @throws {Error} when it cannot hold them */
  openFormat(documents: Value[], library?: any): Format;
}
