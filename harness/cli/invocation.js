import { formatCommand } from '../lib/program.js';

/** @import { Question } from '../formats/types.ts' */
/** @import { Invocation } from './types.ts' */

/**
 * Formats the command that asks the same again, for a shell: what was typed, with values that the question
 * settled and without transient options.
 *
 * @param {Invocation} invocation
 * @param {object} [settled]
 * @param {readonly string[]} [settled.args] instead of those that were typed
 * @param {Question} [settled.question]
 * @param {Record<string, string | true | null>} [settled.changes] options that replace those that
 *   were typed, or with null remove them
 * @returns {string}
 */
export function formatInvocation(invocation, { args, question, changes = {} } = {}) {
  const { name, options, texts } = invocation;
  const words = [...name.split(' '), ...(args ?? invocation.args)];
  for (const [key, { flags, transient, settled: isSettled, ofQuestion }] of Object.entries(
    options,
  )) {
    const typed = transient === true ? undefined : texts[key];
    const settled = question !== undefined && isSettled ? ofQuestion?.(question) : undefined;
    const text = key in changes ? changes[key] : (settled ?? typed);
    if (text != null) words.push(...formatOption(flags, text));
  }
  return formatCommand(words);
}

/**
 * Formats the command that asks a question, for a shell, whatever was typed. Options with their default are
 * left out.
 *
 * @param {Pick<Invocation, 'name' | 'options'>} command
 * @param {Question} question
 * @param {object} given
 * @param {readonly string[]} given.args usually the variants
 * @param {readonly string[]} [given.except] options to leave out, by attribute name
 * @returns {string}
 */
export function formatQuestion({ name, options }, question, { args, except = [] }) {
  const words = [name, ...args];
  for (const [key, { flags, ofQuestion, default: usual }] of Object.entries(options)) {
    const text = except.includes(key) ? undefined : ofQuestion?.(question);
    if (text !== undefined && text !== usual) words.push(...formatOption(flags, text));
  }
  return formatCommand(words);
}

/** @type {(flags: string, text: string | readonly string[] | true) => string[]} */
function formatOption(flags, text) {
  const [long = ''] = flags.split(' ');
  if (text === true) return [long];
  // A value that begins with a dash would be taken for another option.
  return [text].flat().flatMap((one) => (one.startsWith('-') ? [`${long}=${one}`] : [long, one]));
}

/**
 * Transfers the typed options to another command, as far as it has them.
 * @type {(invocation: Invocation, command: Pick<Invocation, 'name' | 'options'>) => Invocation}
 */
export function asCommand(invocation, { name, options }) {
  return { ...invocation, name, options };
}
