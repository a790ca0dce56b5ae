/**
 * Ends all processes of a group.
 *
 * @param {number | undefined} pid of the leader of a process group
 * @param {NodeJS.Signals} signal
 */
export function killGroup(pid, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody of the group is left, which is what was wanted.
  }
}
