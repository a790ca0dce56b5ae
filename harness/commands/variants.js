import { wrapText } from '../../reports/support/wrap.js';
import { EXIT } from '../exit-status.js';
import { PROJECT } from '../project.js';
import { terminalOf } from '../publish-run.js';
import { listFamilies, loadOperation, loadVariant } from '../resolve/families.js';

/** @import { Io } from '../cli.js' */
/** @import { FoundFamily } from '../resolve/families.js' */

/**
 * `just variants`: families, their operations, their variants with idea and source.
 *
 * @param {unknown[]} _args
 * @param {object} _options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
export async function runCommand(_args, _options, io) {
  const { width } = terminalOf(io);
  for (const family of await listFamilies(PROJECT.experimentsPath)) {
    const lines = await describeFamily(family, width);
    io.stdout.write(`${lines.join('\n')}\n\n`);
  }
  const forms = [
    'npm:PACKAGE@1.2.3  a published version, installed into a cache without its scripts',
    'path:DIRECTORY     a built checkout, or any module with the same functions',
  ];
  io.stdout.write(`Also, in place of a name:\n  ${forms.join('\n  ')}\n`);
  return EXIT.done;
}

/**
 * @param {FoundFamily} family
 * @param {number} width
 * @returns {Promise<string[]>}
 */
async function describeFamily(family, width) {
  const lines = [...wrapText(`${family.name}: ${family.summary}`, width)];
  lines.push(`  reference: ${family.reference}`);
  for (const name of family.operations) {
    const { summary } = await loadOperation(family, name);
    lines.push(...wrapText(summary, width, { first: `  operation ${name}: ` }));
  }
  for (const name of family.variants) {
    const { idea, source, differs = [] } = (await loadVariant(family, name)).module.variant;
    const indents = { first: '      ', next: '      ' };
    lines.push('', `  ${name}`, ...wrapText(idea, width, indents));
    lines.push(...wrapText(`source: ${source}`, width, indents));
    for (const text of differs) lines.push(...wrapText(`differs: ${text}`, width, indents));
  }
  return lines;
}
