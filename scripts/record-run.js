/**
 * Keeps runs as the recordings of their families, which the matrix of kinds of run is made of:
 * `node scripts/record-run.js RUN…`. See harness/testing/matrix/README.md.
 */

import { keepRecording, loadRecording } from '../harness/testing/matrix/recording.js';

for (const path of process.argv.slice(2)) keepRecording(await loadRecording(path));
