/** Runs once after all tests. */
export { removeTemporaryFiles as default } from './temporary.js';
