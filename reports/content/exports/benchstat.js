/**
 * The text of Go's benchmarks, for benchstat: `benchstat -col variant FILE` compares the variants of one file. Every
 * process is a line, since processes are what is independent. The format: https://go.dev/design/14313-benchmark-format.
 */

/** @import { RenderInput } from '../../types.ts' */
/** @import { ExportedArm } from './arms.js' */

import { escapeControl } from '../../../harness/lib/escape.js';
import { figureOf } from '../../../harness/stats/figure.js';
import { runtimeOf } from '../comparison/words.js';
import { listArms } from './arms.js';

const NS_PER_SECOND = 1e9;
const BYTES_PER_MB = 1e6;

/** @type {(input: RenderInput) => string} */
export function write(input) {
  const { manifest } = input;
  const { environment, question } = manifest;
  const lines = [
    configure('family', question.family),
    configure('run', manifest.runId),
    configure('cpu', environment.cpuModel),
  ];
  let runtime = '';
  let variant = '';
  for (const arm of listArms(input)) {
    const ran = runtimeOf(arm.comparison.cell, environment);
    if (ran !== runtime) lines.push(configure('runtime', ran));
    if (arm.variant !== variant) lines.push(configure('variant', arm.variant));
    [runtime, variant] = [ran, arm.variant];
    lines.push(...listLines(arm));
  }
  return `${lines.join('\n')}\n`;
}

/** @type {(key: string, value: string) => string} a line that holds for all lines after it; an empty value would unset it */
function configure(key, value) {
  return `${key}: ${escapeControl(value).trim() || 'unknown'}`;
}

/** @type {(arm: ExportedArm) => string[]} */
function listLines({ comparison: { cell, throughput }, role, jobs }) {
  const name = nameBenchmark(cell);
  const { documentsPerSecond = 1, bytesPerSecond } = throughput?.[role] ?? {};
  return jobs.flatMap(({ done, logFigure }) => {
    if (done === null || logFigure === null) return [];
    const { batchNsPerDocument, documentsPerBatch } = done.measurement;
    const count = batchNsPerDocument.length * documentsPerBatch;
    const ns = Math.exp(logFigure);
    const values = [formatValue(ns, 'ns/op')];
    if (bytesPerSecond !== undefined) {
      const bytes = bytesPerSecond / documentsPerSecond;
      values.push(formatValue((bytes * NS_PER_SECOND) / ns / BYTES_PER_MB, 'MB/s'));
    }
    return `${name} ${count} ${values.join(' ')}`;
  });
}

/** @type {(value: number, unit: string) => string} */
function formatValue(value, unit) {
  return `${Number(value.toPrecision(8))} ${unit}`;
}

/**
 * @param {ExportedArm['comparison']['cell']} cell
 * @returns {string} `BenchmarkSerialize/corpus=flat`
 */
function nameBenchmark({ title, operation, corpus, cold }) {
  const name = title ?? operation;
  // The letter after it has to be a capital one; what has none gets a word before it.
  const base = /^[a-z]/.test(name) ? `${name[0].toUpperCase()}${name.slice(1)}` : `Op:${name}`;
  const calls = cold === undefined ? [] : [`calls=${figureOf({ cold }).calls}`];
  const documents = title === undefined ? [`corpus=${encode(corpus)}`] : [];
  const parts = [encode(base), ...calls, ...documents].join('/');
  // A number at the end is the number of threads; that of a name is not one.
  return `Benchmark${parts}${/-\d+$/.test(parts) ? '-1' : ''}`;
}

/** What would end a name or a part of it, or is invisible. */
const UNSAFE = /[%/\s\p{Cc}\p{Cf}\p{Z}]/gu;
const HALF_CHARACTER = /\p{Cs}/gu;

/** @type {(text: string) => string} with these characters in percent encoding */
function encode(text) {
  return text.replace(HALF_CHARACTER, '\ufffd').replace(UNSAFE, encodeURIComponent);
}
