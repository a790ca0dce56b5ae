import { countOf } from '../lib/numbers.js';

/** @import { ErrorObject } from 'ajv/dist/2020.js' */

const SHOWN_PROBLEM_COUNT = 3;
const SHOWN_VALUE_LENGTH = 60;

/**
 * Describes in plain words where a document does not fit its schema.
 *
 * @param {ErrorObject[]} errors of ajv
 * @param {unknown} document
 * @returns {string} the first few problems and the number of others: `question.seed is missing;
 *   timing is 7 but should be object; and 2 more`
 */
export function describeProblems(errors, document) {
  // The errors of the branches of `anyOf` say more.
  const telling = errors.filter(({ keyword }) => keyword !== 'anyOf');
  const problems = [...new Set(telling.map((error) => describeProblem(error, document)))];
  const shown = problems.slice(0, SHOWN_PROBLEM_COUNT);
  const rest = problems.length - shown.length;
  return shown.join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}

/**
 * @param {ErrorObject} error
 * @param {unknown} document
 * @returns {string} `question.seed is missing`
 */
function describeProblem({ keyword, instancePath, params, message }, document) {
  const steps = instancePath.split('/').slice(1).map(decodePointer);
  const path = showPath(steps);
  const found = showValue(followPath(document, steps));
  switch (keyword) {
    case 'required':
      return `${showPath([...steps, params.missingProperty])} is missing`;
    case 'additionalProperties':
      return `${showPath([...steps, params.additionalProperty])} is not known`;
    case 'discriminator':
      return `${showPath([...steps, params.tag])} is ${showValue(params.tagValue)}, which is not known`;
    case 'type':
      return `${path} is ${found} but should be ${[params.type].flat().join(' or ')}`;
    case 'const':
      return `${path} is ${found} but should be ${showValue(params.allowedValue)}`;
    case 'enum':
      return `${path} is ${found} but should be one of ${params.allowedValues.join(', ')}`;
    case 'minimum':
      return `${path} is ${found} but should be at least ${params.limit}`;
    case 'maximum':
      return `${path} is ${found} but should be at most ${params.limit}`;
    case 'exclusiveMinimum':
      return `${path} is ${found} but should be more than ${params.limit}`;
    case 'exclusiveMaximum':
      return `${path} is ${found} but should be less than ${params.limit}`;
    case 'multipleOf':
      return `${path} is ${found} but should be a multiple of ${params.multipleOf}`;
    case 'minItems':
      return `${path} has ${countItems(document, steps)}, fewer than ${params.limit}`;
    case 'maxItems':
      return `${path} has ${countItems(document, steps)}, more than ${params.limit}`;
    case 'pattern':
      return `${path} is ${found} but should match ${params.pattern}`;
    case 'minLength':
      return `${path} is empty`;
    default:
      return `${path} is ${found} but ${message}`;
  }
}

/**
 * @param {unknown} document
 * @param {string[]} steps to an array
 * @returns {string} `3 items`
 */
function countItems(document, steps) {
  const { length } = /** @type {unknown[]} */ (followPath(document, steps));
  return countOf(length, 'item');
}

/**
 * @param {string} step of a JSON pointer
 * @returns {string}
 */
function decodePointer(step) {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/**
 * @param {string[]} steps
 * @returns {string} `cells[0].effect.ratio`
 */
function showPath(steps) {
  let path = '';
  for (const step of steps) {
    if (/^\d+$/.test(step)) path += `[${step}]`;
    else if (/^[\w-]+$/.test(step)) path += path === '' ? step : `.${step}`;
    else path += `[${showValue(step)}]`;
  }
  return path === '' ? 'the whole' : path;
}

/** @type {(document: unknown, steps: string[]) => unknown} */
function followPath(document, steps) {
  return steps.reduce(
    (value, step) => /** @type {Record<string, unknown>} */ (value)?.[step],
    /** @type {unknown} */ (document),
  );
}

/**
 * @param {unknown} value
 * @returns {string} JSON for a message, truncated if it is long
 */
export function showValue(value) {
  const text = spell(value);
  return text.length <= SHOWN_VALUE_LENGTH ? text : `${text.slice(0, SHOWN_VALUE_LENGTH)}…`;
}

/**
 * @param {unknown} value
 * @returns {string} JSON
 */
function spell(value) {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch (error) {
    // JSON.parse takes deeper nesting than JSON.stringify.
    if (error instanceof RangeError) return 'nested too deeply to be shown';
    throw error;
  }
}
