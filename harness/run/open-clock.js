/**
 * Time of a run, which never goes back, though the clock of the machine may be set back while the run
 * lasts or between two of its sessions.
 *
 * @param {string} createdAt when the run was made, ISO 8601
 * @returns {{ elapsedMs: () => number, sessionMs: () => number }} since the run was made, and since now
 */
export function openClock(createdAt) {
  const earlierMs = Math.max(0, Date.now() - Date.parse(createdAt));
  const startMs = performance.now();
  const sessionMs = () => performance.now() - startMs;
  return { elapsedMs: () => earlierMs + sessionMs(), sessionMs };
}
