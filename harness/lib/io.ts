/** The outside world as the program sees it; tests provide their own. */
export interface Io {
  /** Results. */
  stdout: TextSink;
  /** Progress, notes and errors. */
  stderr: TextSink;
  /** Opens standard input. */
  stdin?: () => StandardInput;
  environment: Record<string, string | undefined>;
  /** Base of relative paths. */
  workingPath: string;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Runs jobs in place of processes, for tests; a `RunJob` of run/jobs.js. */
  runJob?: (job: any, how?: any) => Promise<any>;
}

interface StandardInput extends AsyncIterable<Uint8Array> {
  isTTY?: boolean;
}

export interface TextSink {
  write: (text: string) => unknown;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  /** Shows lines that the next text or status replaces. Only standard error has it, if it is a terminal. */
  showStatus?: (lines: string[]) => void;
  /** Reports whether an interrupt left such lines in place. */
  wasStatusKept?: () => boolean;
}
