/** GitHub tables. */

/** @typedef {{ title: string, align: 'left' | 'right' }} MarkdownColumn */

/**
 * A table of entries that are Markdown already: escaped, on one line, without bare pipes.
 *
 * @param {MarkdownColumn[]} columns
 * @param {string[][]} rows as many entries as columns
 * @returns {string}
 */
export function markdownTable(columns, rows) {
  const titles = columns.map(({ title }) => title);
  const rules = columns.map(({ align }) => (align === 'right' ? '---:' : ':---'));
  return [titles, rules, ...rows].map((entries) => `| ${entries.join(' | ')} |`).join('\n');
}

/**
 * A section that is folded until the reader asks for it.
 *
 * @param {string} title plain words of ours
 * @param {string} body markdown
 * @param {boolean} [isOpen] whether it begins unfolded
 * @returns {string}
 */
export function folded(title, body, isOpen = false) {
  return `<details${isOpen ? ' open' : ''}>\n<summary>${title}</summary>\n\n${body}\n\n</details>`;
}
