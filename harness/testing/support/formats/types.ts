/** What fuzzing needs to know of a file format. */

export interface FileFormat {
  /** As reports of failures name it: the file, or what it is one of. */
  name: string;
  /** Path of the damaged file within the folder that is read. */
  fileName: string;
  /** Whole files of the format. */
  samples: Buffer[];
  /** Other files that the reader wants beside it, by path. */
  neighbours?: Record<string, Buffer>;
  /**
   * Reads the file as its user would, and draws what comes of it where anything does. What it
   * resolves to tells nothing; it rejects with an error meant for the user where it refuses.
   */
  read(folder: string, path: string): Promise<unknown>;
  /** Whether reading takes so long that a quick test tries fewer damaged files. */
  isSlow?: boolean;
  /** Whether a broken file is passed over rather than refused. */
  neverRefuses?: boolean;
  /** Whether files of a cache may be written again where they are broken. */
  isMadeAnew?: boolean;
  /** Whether the message names what was read rather than the file: the reader is given text. */
  isNamedByCaller?: boolean;
}
