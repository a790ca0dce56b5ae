import { escapeControl } from '../../../harness/lib/escape.js';

/** What a spreadsheet takes for a formula, or for the mark before one. */
const FORMULA = /^[=+\-@']/;

/** @typedef {string | number | boolean | null | undefined} Field */

/**
 * Comma-separated values (RFC 4180), for programs and spreadsheets. Text that a spreadsheet would run as a formula has an
 * apostrophe before it; invisible characters are escapes. A field without a value is empty.
 *
 * @param {Record<string, Field>[]} rows with the same keys
 * @param {string[]} columns their keys
 * @returns {string}
 */
export function writeTable(rows, columns) {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return lines.map((fields) => `${fields.map(formatField).join(',')}\r\n`).join('');
}

/** @param {Field} field */
function formatField(field) {
  if (typeof field !== 'string') return String(field ?? '');
  const shown = escapeControl(field);
  const text = FORMULA.test(shown) ? `'${shown}` : shown;
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
