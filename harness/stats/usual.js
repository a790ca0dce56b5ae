/** What `compare` asks without options; what judges and simulates by the same rule takes it from here. */
export const USUAL = Object.freeze({
  /** Family-wise rate of directions claimed between equals, over all cells (decision 0022). */
  alpha: 0.02,
  /** Minimum effect of interest, a share. */
  minimumEffect: 0.03,
  /** Per variant, at the last look. */
  processes: 96,
  /** Edited copies of each arm. With as many processes, more placements of fewer processes are more precise,
   * because the placement is the unit (decision 0018). */
  placements: 24,
});
