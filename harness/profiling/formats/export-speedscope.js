import { walkNodes } from '../profiles/walk-nodes.js';

/** @import { Frame, Profile } from '../../formats/profile-types.ts' */

const UNITS = { ns: 'nanoseconds', bytes: 'bytes' };

/**
 * A profile as speedscope opens it: one profile of the kind `evented`, in which every node of the
 * tree begins and ends once. `kind` of a frame, `source` and `samples` are keys of ours that
 * speedscope passes over. Lines of functions are left out: the format has no place for them.
 *
 * Source: https://www.speedscope.app/file-format-schema.json
 *
 * @param {Profile} profile
 * @param {string} name shown as its title
 * @returns {object} to be written as JSON
 */
export function exportSpeedscope({ source, unit, frames, nodes, samples }, name) {
  /** @type {{ type: 'O' | 'C', frame: number, at: number }[]} */
  const events = [];
  let at = 0;
  walkNodes(
    nodes,
    function openNode(index) {
      events.push({ type: 'O', frame: nodes[index].frame, at });
      at += nodes[index].self;
    },
    function closeNode(index) {
      events.push({ type: 'C', frame: nodes[index].frame, at });
    },
  );
  const range = { unit: UNITS[unit], startValue: 0, endValue: at };
  return {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: 'assay',
    name,
    activeProfileIndex: 0,
    shared: { frames: frames.map(describeFrame) },
    profiles: [{ type: 'evented', name, ...range, events, source, samples }],
  };
}

/** @param {Frame} frame */
function describeFrame({ name, kind, file, line, column }) {
  return {
    name,
    kind,
    ...(file === null ? {} : { file }),
    ...(line === null ? {} : { line }),
    ...(column === null ? {} : { col: column }),
  };
}
