/**
 * @param {{ version: string, revision: string | null, dirty: boolean }} assay
 * @returns {string} `Assay 0.1.0 at 5013fe6624`
 */
export function nameAssay({ version, revision, dirty }) {
  const at = revision === null ? '' : ` at ${revision.slice(0, 10)}`;
  return `Assay ${version}${at}${dirty ? ' with uncommitted changes' : ''}`;
}
