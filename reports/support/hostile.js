/** Text that tries to break out of a report. Used by tests only. */

/** @import { RenderInput } from '../types.ts' */

import { makeManifest } from './fixtures.js';
import { recordedRun } from './recorded-runs.js';

/** Markup, control, bidi and shell mischief in one name. */
export const HOSTILE_TEXT =
  '\u001b[2J\u001b]0;owned\u0007|`--><img src=x onerror=alert(1)>\n# head\r\u202eevil\u2066 @all #1 **b** [l](http://x.y) ``` </details> \u0000\ud800\u2028$x$ :tada: \u{e0041}';

/**
 * A run in which every name, path and text that comes from outside is hostile.
 *
 * @param {string} [text]
 * @returns {RenderInput}
 */
export function hostileRun(text = HOSTILE_TEXT) {
  const run = recordedRun('mixed');
  const { variants, corpora, environment, assay } = run.manifest;
  const host = { ...environment, os: text, cpuModel: text, governor: text };
  const cells = run.verdict.cells.map((_, index) => ({
    id: `${text} ${text}${index}`,
    operation: text,
    corpus: text + index,
    figure: text,
    node: text + (index % 2),
  }));
  const row = { theme: text, name: text, promise: text, outcome: /** @type {const} */ ('fails') };
  const manifest = {
    ...makeManifest({ baseline: text, candidate: `${text}2`, nodeFlags: [text], cells }),
    command: `just compare ${text}`,
    runId: text,
    assay: { ...assay, revision: text },
    variants: {
      baseline: {
        ...variants.baseline,
        spec: text,
        idea: text,
        version: text,
        revision: { commit: text, changes: text },
        build: text,
        node: text,
      },
      candidate: { ...variants.candidate, spec: text, idea: text, digest: text },
      reference: { ...variants.reference, spec: text, integrity: text },
    },
    corpora: corpora.map((corpus) => ({ ...corpus, label: text, digest: text })),
    contracts: { [text]: [{ ...row, detail: text }] },
    environment: host,
    runtimes: [{ node: text, executable: text, packageName: text, integrity: text }],
    parts: cells.map(({ id }, index) => ({
      runId: text,
      shard: index + 1,
      cellIds: [id],
      environment: { ...host, cpuCount: index + 1 },
      hostNoise: run.verdict.hostNoise,
    })),
  };
  const summaries = run.verdict.summaries.map((summary) => ({ ...summary, operation: text }));
  const difference = { variant: text, cellId: text, document: 0, path: text };
  return {
    manifest,
    verdict: {
      ...run.verdict,
      cells: run.verdict.cells.map((comparison, index) => ({
        ...comparison,
        cell: cells[index] ?? comparison.cell,
      })),
      summaries,
      warnings: [{ number: 1, kind: 'control-failed', text }],
      differences: [{ ...difference, expected: text, found: text.repeat(40) }],
    },
    runPath: `/home/${text}/run`,
  };
}

/**
 * The same where the contract kept the run from being made, and the sentence tells of it.
 *
 * @param {string} [text]
 * @returns {RenderInput}
 */
export function hostileRefusal(text) {
  const run = hostileRun(text);
  const cells = run.verdict.cells.map((cell) => ({
    ...cell,
    verdict: /** @type {const} */ ('refused'),
  }));
  return { ...run, verdict: { ...run.verdict, ended: 'refused', cells } };
}
