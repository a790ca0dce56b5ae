import {
  ACCEPT,
  FORMAT,
  FULL,
  HOST_OPTIONS,
  MAX_PROCESSES,
  RUNTIME_OPTIONS,
  option,
  REFERENCE,
  SEED,
  VARIANT_OPTIONS,
  word,
} from './options.js';

const OPTIONS = {
  processes: MAX_PROCESSES,
  ...RUNTIME_OPTIONS,
  accept: ACCEPT,
  reference: REFERENCE,
  seed: SEED,
  ...VARIANT_OPTIONS,
  resume: option('--resume <directory>', 'resume an interrupted bisection', word, {
    transient: true,
    alone: {
      but: ['format', 'full', 'wait', 'quiet'],
      because: 'a resumed bisection keeps its original options',
    },
  }),
  format: FORMAT,
  full: FULL,
  ...HOST_OPTIONS,
};

/** What formats a `just bisect` for another command. */
export const BISECT = { name: 'bisect', options: OPTIONS };
