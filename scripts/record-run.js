/**
 * Stores runs as the recordings of their families, for the test matrix: `node scripts/record-run.js RUN…`.
 * See harness/testing/matrix/README.md.
 */

import { keepRecording, loadRecording } from '../harness/testing/matrix/recording.js';

for (const path of process.argv.slice(2)) keepRecording(await loadRecording(path));
