/** Closes standard input before its job is there, and ends as if all were well. */
import { closeSync } from 'node:fs';

closeSync(0);
