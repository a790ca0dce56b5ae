import { CommanderError } from 'commander';
import { wrapText } from '../lib/columns.js';
import { AssayError, EXIT, MachineError } from '../lib/errors.js';
import { escapeControl } from '../lib/escape.js';
import { PROJECT } from '../lib/project.js';
import { chooseCommands, expandAxisOptions, makeProgram } from './program.js';
import { guardStreams } from './terminal.js';
import { writeNote } from '../lib/messages.js';

/** @typedef {import('../lib/io.ts').Io} Io */
/** @typedef {import('../lib/io.ts').TextSink} TextSink */

/**
 * The program as a function.
 *
 * @param {string[]} argv without node and script
 * @param {Io} io
 * @returns {Promise<number>} exit status, see `EXIT`
 */
export async function main(argv, io) {
  const streams = guardStreams(io);
  if (PROJECT.strangePath !== null) {
    writeNote(streams.stderr, `'${PROJECT.strangePath}' is left out: it belongs to another user`);
  }
  const status = await runProgram(argv, { ...io, ...streams });
  streams.stderr.showStatus?.([]);
  return status;
}

/** @type {(typed: string[], io: Io) => Promise<number>} exit status */
async function runProgram(typed, io) {
  /** @type {number} */
  let status = EXIT.done;
  const argv = typed[0] === 'help' ? [...typed.slice(1), '--help'] : typed;
  try {
    const program = await makeProgram(
      io,
      async ({ run }, args, options, invocation) => {
        status = (await run?.(args, options, io, invocation)) ?? EXIT.done;
      },
      chooseCommands(argv[0]),
    );
    await program.parseAsync(await expandAxisOptions(argv, program), { from: 'user' });
    return status;
  } catch (error) {
    return reportError(error, io);
  }
}

/** @type {(thrown: unknown, io: Io) => Promise<number>} */
async function reportError(thrown, io) {
  // A help that was printed.
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.done : EXIT.usage;
  const { explainFileError } = await import('../lib/files.js');
  const error = explainFileError(thrown) ?? thrown;
  if (io.signal.aborted && !isOfFiles(error)) {
    io.stderr.write('interrupted before anything was timed\n');
    return EXIT.interrupted;
  }
  if (error instanceof AssayError) {
    io.stderr.write(`${formatError(error, io.stderr.columns ?? 80).join('\n')}\n`);
    return error.exitStatus;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.stderr.write(`error: a defect of Assay, please report it\n${text}\n`);
  return EXIT.failed;
}

/**
 * Message and remedy are of one line each, whatever they quote; quoted lines are not wrapped.
 * @type {(error: AssayError, width: number) => string[]} lines
 */
function formatError({ message, quoted, remedy = '' }, width) {
  return [
    ...wrapText(escapeControl(message), width, { first: 'error: ' }),
    ...quoted.map((line) => `  ${line}`),
    ...(remedy === '' ? [] : wrapText(escapeControl(remedy), width, { first: '  ', next: '    ' })),
  ];
}

/**
 * @param {unknown} error
 * @returns {boolean} whether a file could not be read or written, which an interruption does not explain
 */
function isOfFiles(error) {
  const { cause } = error instanceof MachineError ? error : {};
  return cause instanceof Error && 'syscall' in cause;
}
