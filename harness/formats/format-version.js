/** Version of every file and message format of Assay; a reader refuses any other. */
export const FORMAT_VERSION = 6;
