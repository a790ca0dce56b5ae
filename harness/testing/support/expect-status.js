/**
 * Expects an exit status; a failure shows what else the command has left, which says why.
 *
 * @template {{ status: number | null }} Ended
 * @param {Ended} ended
 * @param {number} status
 */
export function expectStatus(ended, status) {
  expect(ended).toEqual({ ...ended, status });
}
