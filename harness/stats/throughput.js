import { contrastOf } from './contrast.js';
import { figureOf } from './figure.js';

/** @import { CellComparison, Manifest, Throughput } from '../formats/types.ts' */

const NS_PER_SECOND = 1e9;

/**
 * Adds documents per second to the cells whose figure is the time per document, and bytes per second where the bytes of a
 * document are known: of an operation that makes messages their sizes, of one that reads or writes the canonical BSON its
 * size. It is the time in another unit.
 * @type {(cells: CellComparison[], manifest: Pick<Manifest, 'question' | 'corpora'>) => CellComparison[]}
 */
export function addThroughput(cells, { question, corpora }) {
  const { hasBaseline } = contrastOf(question);
  return cells.map((comparison) => {
    const { cell, baselineNs, candidateNs, sizes = [] } = comparison;
    if (figureOf(cell).quantity !== null) return comparison;
    const messages = sizes.find(({ compression }) => compression === 'raw')?.bytes;
    const corpus = corpora.find(({ label }) => label === cell.corpus);
    const mean = corpus === undefined ? 0 : corpus.sizeBytes / corpus.documentCount;
    const canonical = cell.codesCanonical === true && mean > 0 ? mean : undefined;
    const baseline = toThroughput(baselineNs, messages?.baseline ?? canonical);
    const candidate = toThroughput(candidateNs, messages?.candidate ?? canonical);
    if (candidate === null) return comparison;
    const isCompared = hasBaseline && baseline !== null;
    return { ...comparison, throughput: { candidate, ...(isCompared ? { baseline } : {}) } };
  });
}

/** @type {(ns: number | null, bytes: number | undefined) => Throughput | null} */
function toThroughput(ns, bytes) {
  if (ns === null || !(ns > 0)) return null;
  const documentsPerSecond = NS_PER_SECOND / ns;
  return {
    documentsPerSecond,
    ...(bytes === undefined ? {} : { bytesPerSecond: bytes * documentsPerSecond }),
  };
}
