import { drawIndex } from '../../stats/random.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

/** Statements of one function: from a few bytes of machine code to some kilobytes. */
const MOST_STATEMENTS = 40;
/** Calls at load, so many that V8 compiles the function; of some milliseconds at most. */
const FEWEST_CALLS = 1_000;
const MORE_CALLS = 5_000;

/**
 * Functions that have nothing to do with the source that they are put into. About half of them are
 * called when it is loaded, often enough to be compiled: so the code that is measured later comes to
 * lie elsewhere. They compute with numbers of their own and touch nothing else.
 *
 * @param {number} count
 * @param {string} prefix of their names, which the source must not use
 * @param {RandomGenerator} random advanced by the call
 * @returns {{ fillers: string[], tail: string }} declarations; what goes to the end of the source
 */
export function makeFillers(count, prefix, random) {
  const names = Array.from({ length: count }, (_, index) => `${prefix}_${index}`);
  const fillers = names.map((name) => declareFiller(name, random));
  const runs = names
    .filter(() => drawIndex(random, 2) === 0)
    .map((name) => {
      const calls = FEWEST_CALLS + drawIndex(random, MORE_CALLS);
      return `  for (let call = 0; call < ${calls}; call++) sum = (sum + ${name}(call, sum)) | 0;`;
    });
  if (runs.length === 0) return { fillers, tail: '' };
  const run = `${prefix}_run`;
  const body = ['  let sum = 1;', ...runs, '  return sum;'].join('\n');
  return { fillers, tail: `\nfunction ${run}() {\n${body}\n}\n${run}();\n` };
}

/**
 * @param {string} name
 * @param {RandomGenerator} random
 */
function declareFiller(name, random) {
  const count = 2 + drawIndex(random, MOST_STATEMENTS);
  const statements = Array.from({ length: count }, () => `  ${writeStatement(random)}`);
  return `function ${name}(a, b) {\n${statements.join('\n')}\n  return a ^ b;\n}\n`;
}

/** @param {RandomGenerator} random */
function writeStatement(random) {
  const number = 3 + drawIndex(random, 1_000_000);
  const shift = 1 + drawIndex(random, 15);
  const forms = [
    `a = (Math.imul(a, ${number}) + b) | 0;`,
    `b ^= (a >>> ${shift}) + ${number};`,
    `if ((a & ${shift}) === 0) b = (b + ${number}) | 0;`,
    `for (let i = 0; i < ${1 + (shift % 3)}; i++) a = (a + (b >> i)) | 0;`,
  ];
  return forms[drawIndex(random, forms.length)];
}
