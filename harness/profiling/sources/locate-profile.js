import { readFile, writeFile } from 'node:fs/promises';

/** @import { Sources } from '../../formats/types.ts' */
/** @import { CallFrame } from '../formats/v8-profiles.js' */

/**
 * A node of either kind of V8's profiles.
 *
 * @typedef {object} V8Node
 * @property {CallFrame} callFrame
 * @property {{ line: number, ticks: number }[]} [positionTicks]
 * @property {V8Node[] | number[]} [children]
 */

/**
 * Rewrites a profile of V8 so that its places are those in the sources. Other programs read it as before, and need no source
 * maps.
 *
 * @param {string} path of a `.cpuprofile` or `.heapprofile`
 * @param {Sources} sources
 */
export async function locateProfile(path, sources) {
  const profile = JSON.parse(await readFile(path, 'utf8'));
  /** @type {V8Node[]} */
  const waiting = [...(profile.nodes ?? [profile.head])];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    locateNode(node, sources);
    for (const child of node.children ?? []) if (typeof child === 'object') waiting.push(child);
  }
  await writeFile(path, JSON.stringify(profile));
}

/** @type {(node: V8Node, sources: Sources) => void} */
function locateNode(node, sources) {
  const { callFrame, positionTicks } = node;
  const { functionName: name, url, lineNumber, columnNumber } = callFrame;
  if (url === '') return;
  const place = {
    name,
    url,
    line: lineNumber < 0 ? null : lineNumber + 1,
    column: columnNumber < 0 ? null : columnNumber + 1,
  };
  const { line, column, file, ...found } = sources.describe(place);
  node.callFrame = {
    ...callFrame,
    functionName: found.name,
    url: found.url,
    lineNumber: (line ?? 0) - 1,
    columnNumber: (column ?? 0) - 1,
    ...(file === null ? {} : { file }),
    ...(found.edited === undefined ? {} : { edited: found.edited }),
  };
  if (positionTicks !== undefined) node.positionTicks = sources.describeLines(place, positionTicks);
}
