import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A directory of shell scripts, for a PATH with nothing else.
 *
 * @param {Record<string, string>} programs scripts by name
 * @returns {{ path: string, host: import('../../../formats/types.ts').RecorderHost, remove(): void }}
 */
export function fakePrograms(programs) {
  const path = mkdtempSync(join(tmpdir(), 'assay-fake-programs-'));
  for (const [name, script] of Object.entries(programs)) {
    const file = join(path, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }
  return {
    path,
    host: { environment: { PATH: path }, toolsPath: join(path, 'tools') },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
