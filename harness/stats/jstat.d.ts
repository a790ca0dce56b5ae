/** The part of jstat 1.9.6 that `distributions.js` uses; the package brings no types. */
declare module 'jstat' {
  const jStat: {
    /** Regularised incomplete beta function I_x(a, b). */
    ibeta(x: number, a: number, b: number): number;
    /** Its inverse: the x at which I_x(a, b) = p. */
    ibetainv(p: number, a: number, b: number): number;
    /** Inverse of the regularised lower incomplete gamma function: the x at which P(a, x) = p. */
    gammapinv(p: number, a: number): number;
    /** Error function. */
    erf(x: number): number;
  };
  export default jStat;
}
