/** Keeps a report within a length by leaving out whole sections. */

/**
 * @typedef {object} Section
 * @property {string} name what a reader would call it
 * @property {number} rank the section with the highest goes first
 * @property {string} text empty where there is nothing to say
 * @property {string} [shorter] stands in where the text is too long
 */

/** Characters: GitHub takes 65 536 a comment; the rest is room for what a bot adds around it. */
export const LARGEST_LENGTH = 60_000;
/** Room for the sentence that says what was left out. */
const REMARK_LENGTH = 400;

/**
 * Joins the head and the sections, in their order. Sections are given room in the order of their
 * rank; one that no longer fits is replaced by its shorter form or left out, and a remark below the
 * head says so.
 *
 * @param {string} head is kept whole
 * @param {Section[]} sections
 * @param {number} limit characters
 * @param {string} [source] where everything is that was left out
 * @returns {string}
 */
export function joinSections(head, sections, limit, source = 'verdict.json in the run directory') {
  let left = limit - head.length - REMARK_LENGTH;
  const chosen = new Map();
  const remarks = [];
  for (const section of [...sections].sort((a, b) => a.rank - b.rank)) {
    const forms = [section.text, section.shorter ?? section.text];
    const text = forms.find((form) => form.length + 2 <= left);
    if (text === undefined) remarks.push(`without ${section.name}`);
    else if (text !== section.text) remarks.push(`${section.name} in short`);
    chosen.set(section, text ?? '');
    left -= text === undefined ? 0 : text.length + 2;
  }
  const parts = sections.map((section) => chosen.get(section)).filter((text) => text !== '');
  return [head, ...remarkOn(remarks, limit, source), ...parts].join('\n\n');
}

/**
 * @param {string[]} remarks
 * @param {number} limit characters
 * @param {string} source
 * @returns {string[]}
 */
function remarkOn(remarks, limit, source) {
  if (remarks.length === 0) return [];
  return [`_Kept under ${limit} characters: ${remarks.join(', ')}. ${source} has everything._`];
}
