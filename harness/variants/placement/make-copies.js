import { rmSync } from 'node:fs';
import { AssayError } from '../../lib/errors.js';
import { editVariant } from './edit-variant.js';

/** @import { Manifest, PlannedLayoutJob } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../families.js' */
/** @import { EditedVariant } from './edit-variant.js' */

/** @typedef {Map<string, EditedVariant | AssayError>} Copies what each layout loads, or why there is no such copy */

/**
 * Makes the layouts of both sides, unedited ones included.
 *
 * @param {string} path absolute, of a directory for them, which is made anew
 * @param {{ manifest: Manifest, family: Pick<FoundFamily, 'path'> }} run
 * @returns {Copies}
 */
export function makeCopies(path, { manifest, family }) {
  const { question, variants } = manifest;
  const { layouts = 0, seed } = question;
  rmSync(path, { recursive: true, force: true });
  /** @type {Copies} */
  const copies = new Map();
  for (const arm of /** @type {const} */ (['baseline', 'candidate'])) {
    const variant = variants[arm];
    copies.set(nameLayout({ arm, layout: 0 }), { variant, familyPath: family.path });
    for (let layout = 1; layout <= layouts; layout++) {
      copies.set(
        nameLayout({ arm, layout }),
        tryToEdit(() => editVariant(variant, family, { seed, arm, layout, path })),
      );
    }
  }
  return copies;
}

/**
 * @param {() => EditedVariant} edit
 * @returns {EditedVariant | AssayError}
 */
function tryToEdit(edit) {
  try {
    return edit();
  } catch (error) {
    if (error instanceof AssayError) return error;
    const { message } = /** @type {Error} */ (error);
    return new AssayError(`no copy of it can be made: ${message}`, { cause: error });
  }
}

/**
 * Without copies of one side there is nothing to compare, so nothing is measured.
 *
 * @param {Copies} copies
 * @returns {AssayError | null} why a side has none
 */
export function findUneditable(copies) {
  for (const arm of ['baseline', 'candidate']) {
    const edited = [...copies].filter(([name]) => name.startsWith(arm) && !name.endsWith('-0'));
    const [first] = edited;
    if (edited.every(([, copy]) => copy instanceof AssayError) && first !== undefined) {
      return /** @type {AssayError} */ (first[1]);
    }
  }
  return null;
}

/**
 * @param {Pick<PlannedLayoutJob, 'arm' | 'layout'>} place
 * @returns {string} by which its copy is found: `candidate-2`
 */
export function nameLayout({ arm, layout }) {
  return `${arm}-${layout}`;
}
