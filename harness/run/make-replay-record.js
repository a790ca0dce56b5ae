/** @import { CellComparison, HostNoise, Manifest, ReplayRecord, ReplayVariant, ResolvedVariant } from '../formats/types.ts' */

/**
 * What travels with a report, so that it can be replayed from that alone: all that decides what is
 * measured, what it came to, and where it was measured.
 *
 * @param {Manifest} manifest
 * @param {CellComparison[]} cells
 * @param {HostNoise} hostNoise
 * @returns {ReplayRecord}
 */
export function makeReplayRecord(manifest, cells, hostNoise) {
  const { formatVersion, runId, createdAt, assay, question, variants, environment } = manifest;
  return {
    formatVersion,
    runId,
    createdAt,
    assay,
    question,
    variants: {
      baseline: describeVariant(variants.baseline),
      candidate: describeVariant(variants.candidate),
    },
    corpora: manifest.corpora.map(({ label, digest, documentCount }) => ({
      label,
      digest,
      documentCount,
    })),
    runtimes: manifest.runtimes.map(({ node, packageName, integrity }) => ({
      node,
      packageName,
      integrity,
    })),
    environment,
    hostNoise,
    results: cells.map(({ cell, verdict, effect }) => ({
      cellId: cell.id,
      verdict,
      ratio: effect?.ratio ?? null,
    })),
  };
}

/**
 * @param {ResolvedVariant} variant
 * @returns {ReplayVariant}
 */
function describeVariant({ spec, kind, digest, ...variant }) {
  const { version, integrity, revision, build, toolchain, node } = variant;
  return {
    spec,
    kind,
    digest,
    ...(version === undefined ? {} : { version }),
    ...(integrity === undefined ? {} : { integrity }),
    ...(revision === undefined ? {} : { revision }),
    ...(build === undefined ? {} : { build }),
    ...(toolchain === undefined ? {} : { toolchain }),
    ...(node === undefined ? {} : { node }),
  };
}
