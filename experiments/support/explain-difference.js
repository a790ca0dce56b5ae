export { explainByteDifference } from './explain-byte-difference.js';
export { explainTextDifference } from './explain-text-difference.js';
