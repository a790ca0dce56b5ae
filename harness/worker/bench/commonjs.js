/** Names of CommonJS in a module that bundles a benchmark file in TypeScript, where that uses them. */

import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const __filename = fileURLToPath(import.meta.url);
export const __dirname = dirname(__filename);
