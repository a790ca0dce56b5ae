import { hostname } from 'node:os';
import { EXIT, UsageError } from '../../lib/errors.js';
import { PROGRAM } from '../../lib/program.js';
import { flag, option, repeatable, word } from '../options.js';
import { writeLine, writeNote } from '../../lib/messages.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */

const OPTIONS = {
  nats: option('--nats <url>', 'the broker, a NATS server with JetStream', word, {
    default: 'nats://127.0.0.1:4222',
  }),
  name: option('--name <name>', 'what reports call this host (default: its host name)', word),
  allow: repeatable(
    '--allow <spec>',
    'of what is not built in, measure only this; npm:bson@* for all versions; needed for git:',
  ),
  trust: flag('--trust', 'run whatever is submitted, without a sandbox'),
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'measure for others: fleet work takes blocks of comparisons from a broker',
  arguments: [['<action>', 'work']],
  options: OPTIONS,
  notes: `
Start a broker with: nats-server -js -a 127.0.0.1
A comparison is submitted with: ${PROGRAM} compare A B --fleet nats://127.0.0.1:4222
A host measures one block at a time, and none while something else measures there.
A host refuses a run whose Assay, variants, documents or Node differ from its own.
Variants from npm run in a sandbox; so do those from git, which need --allow.
A broker of another machine needs TLS, and NATS_USER and NATS_PASSWORD, or
NATS_NKEY, in the environment; NATS_CA is the file of its authority.`,
  run,
};

/** @typedef {OptionValues<typeof OPTIONS>} FleetOptions */

/** @type {(args: [string], options: FleetOptions, io: Io) => Promise<number>} exit status */
async function run([action], options, io) {
  if (action !== 'work') {
    throw new UsageError(`fleet does not know '${action}'`, {
      remedy: `try: ${PROGRAM} fleet work`,
    });
  }
  const { nats, name = hostname(), allow = [], trust = false } = options;
  const { openBroker } = await import('../../studies/fleet/broker.js');
  const { work } = await import('../../studies/fleet/work.js');
  const { openSession } = await import('../session.js');
  const broker = await openBroker(nats, io, (note) => writeNote(io.stderr, note));
  try {
    writeLine(io.stderr, `${name} waits for blocks; end it with Ctrl-C`);
    const session = openSession(io, { quiet: true });
    await work({ broker, host: name, allowed: allow, isTrusting: trust, session, io });
  } finally {
    await broker.close();
  }
  return EXIT.interrupted;
}
