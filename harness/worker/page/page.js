/// <reference lib="dom" />
/** The worker in a page of a browser: one page, one job. */

import { endEquipment } from '../equipment.js';
import { runJob } from '../run-job.js';
import { askJson, askLater } from './ask.js';

/** Runs the job and hands its report over. */
export async function work() {
  const job = askJson('job');
  if (job.kind === 'measure' || job.kind === 'exercise') await askLater('trace');
  const result = await runJob(job);
  await endEquipment();
  await askLater('finish', result);
}
