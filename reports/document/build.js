/** Short ways to build what content modules need most. */

/** @import { Block, Format, Inline, Paragraph } from './model.ts' */

/**
 * @param {Inline} text
 * @param {Paragraph['role']} [role]
 * @returns {Block}
 */
export function paragraph(text, role) {
  return role === undefined ? { kind: 'paragraph', text } : { kind: 'paragraph', text, role };
}

/** Formats in which a reader asks for details: a terminal has none of them. @type {Format[]} */
export const DETAIL = ['terminal', 'markdown', 'html'];
