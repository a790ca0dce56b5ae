import { guardGroup } from './guard-group.js';
import { killGroup } from './kill-group.js';

/** @import { ChildProcess } from 'node:child_process' */

/** Time that the pipes of a process have to run empty when it has ended. */
const DRAIN_MS = 1_000;

/**
 * Sees to the end of a process that leads a group: whatever it started ends with it, and a process
 * that left the group and holds its pipes open is not waited for, so that `close` always follows
 * `exit`. Should this process be killed, the group ends too.
 *
 * @param {ChildProcess} child started with `detached`
 * @param {() => void} [onHeldOpen] told where somebody else still holds the pipes when time is up
 */
export function watchEnd(child, onHeldOpen) {
  /** @type {NodeJS.Timeout | undefined} */
  let drainTimer;
  const endGuard = guardGroup(child.pid);
  child.on('exit', function endGroup() {
    killGroup(child.pid, 'SIGKILL');
    endGuard();
    drainTimer = setTimeout(function letGo() {
      onHeldOpen?.();
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, DRAIN_MS);
  });
  child.on('close', () => clearTimeout(drainTimer));
}
