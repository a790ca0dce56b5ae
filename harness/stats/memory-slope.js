/** @import { HeldPoint } from '../formats/types.ts' */

/**
 * Bytes that one document more holds, by least squares through the points of one process, and how
 * far the points lie from the line: the largest distance as a share of what all documents hold.
 *
 * @param {HeldPoint[]} points at least two numbers of documents
 * @returns {{ bytesPerDocument: number, residualShare: number }} NaN where there is no line
 */
export function fitHeldSlope(points) {
  const line = points.map(({ documents, heapUsedBytes, externalBytes }) => ({
    x: documents,
    // Array buffers are part of what is outside the heap, so they are not added once more.
    y: heapUsedBytes + externalBytes,
  }));
  const meanX = line.reduce((sum, { x }) => sum + x, 0) / line.length;
  const meanY = line.reduce((sum, { y }) => sum + y, 0) / line.length;
  let squares = 0;
  let products = 0;
  let largestX = 0;
  for (const { x, y } of line) {
    squares += (x - meanX) ** 2;
    products += (x - meanX) * (y - meanY);
    largestX = Math.max(largestX, x);
  }
  const bytesPerDocument = products / squares;
  const distances = line.map(({ x, y }) => Math.abs(y - meanY - bytesPerDocument * (x - meanX)));
  const residualShare = Math.max(...distances) / Math.abs(bytesPerDocument * largestX);
  return { bytesPerDocument, residualShare };
}
