import { classes } from './themes/classes.js';
import { equality } from './themes/equality.js';
import { hostileKeys } from './themes/hostile-keys.js';
import { limits } from './themes/limits.js';
import { memory } from './themes/memory.js';
import { reading } from './themes/reading.js';
import { textForms } from './themes/text-forms.js';
import { values } from './themes/values.js';
import { writing } from './themes/writing.js';

/** @import { Theme } from './types.ts' */

/**
 * The behaviour contract of the family, in the order in which it is shown: what npm bson 7.3.1 does.
 *
 * @type {Theme[]}
 */
export const CONTRACT = [
  equality,
  textForms,
  classes,
  memory,
  writing,
  reading,
  hostileKeys,
  values,
  limits,
];
