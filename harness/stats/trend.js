import { studentTwoSided } from './distributions.js';

/** A slope through fewer points says nothing. */
const MIN_POINTS = 4;

/**
 * Straight line through points by least squares.
 *
 * @param {{ x: number, y: number }[]} points
 * @returns {{ slope: number, p: number } | null} p of a zero slope, two-sided; null for fewer than
 *   four points or points at one x
 */
export function fitTrend(points) {
  const count = points.length;
  if (count < MIN_POINTS) return null;
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / count;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / count;
  let squaresX = 0;
  let squaresY = 0;
  let products = 0;
  for (const { x, y } of points) {
    squaresX += (x - meanX) ** 2;
    squaresY += (y - meanY) ** 2;
    products += (x - meanX) * (y - meanY);
  }
  if (squaresX === 0) return null;
  const slope = products / squaresX;
  const residual = Math.max(0, squaresY - slope * products);
  if (residual === 0) return { slope, p: slope === 0 ? 1 : 0 };
  const standardError = Math.sqrt(residual / (count - 2) / squaresX);
  return { slope, p: studentTwoSided(slope / standardError, count - 2) };
}
