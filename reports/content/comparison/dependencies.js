/** The dependencies of which the arms of a comparison have different versions. */

/** @import { ResolvedVariant } from '../../../harness/formats/types.ts' */
/** @import { TextFact } from '../environment.js' */
/** @import { Block } from '../../document/model.ts' */

import { formatCount, NO_FIGURE } from '../../../harness/lib/numbers.js';

/** @typedef {{ role: string, variant: Pick<ResolvedVariant, 'dependencies'> }} Arm */

/** Dependencies that a fact names; the table has all of them. */
const MAX_NAMED = 3;
/** Characters of an integrity that tell two packages of the same version apart. */
const INTEGRITY_LENGTH = 'sha512-'.length + 10;

/**
 * @param {Arm[]} arms
 * @returns {{ path: string, versions: string[] }[]} a version for each arm; none unless npm installed all arms
 */
function listDifferent(arms) {
  const installed = arms.map(({ variant }) => variant.dependencies);
  if (installed.includes(undefined)) return [];
  const byArm = installed.map((list = []) => new Map(list.map((one) => [one.path, one])));
  const paths = [...new Set(byArm.flatMap((packages) => [...packages.keys()]))].sort();
  return paths.flatMap((path) => {
    const packages = byArm.map((one) => one.get(path));
    const versions = packages.map((one) => one?.version ?? NO_FIGURE);
    if (new Set(versions).size > 1) return [{ path, versions }];
    const exact = packages.map(
      (one, index) => `${versions[index]} ${one?.integrity?.slice(0, INTEGRITY_LENGTH) ?? ''}…`,
    );
    return new Set(exact).size > 1 ? [{ path, versions: exact }] : [];
  });
}

/** @type {(arms: Arm[]) => TextFact[]} `['Dependencies', 'long 5.2.3 (baseline), 5.3.2 (candidate)']`; none if all are the same */
export function listDependencyFacts(arms) {
  const different = listDifferent(arms);
  if (different.length === 0) return [];
  const named = different.slice(0, MAX_NAMED).map(({ path, versions }) => {
    const known = versions.map((version, index) => `${version} (${arms[index].role})`);
    return `${path} ${known.join(', ')}`;
  });
  const rest = different.length - named.length;
  const more = rest > 0 ? [`${formatCount(rest)} more`] : [];
  return [['Dependencies', [...named, ...more].join('; ')]];
}

/** @type {(arms: Arm[]) => Block[]} none if all are the same */
export function tabulateDependencies(arms) {
  const different = listDifferent(arms);
  if (different.length === 0) return [];
  return [
    {
      kind: 'table',
      name: 'digests',
      caption: 'Dependencies that differ',
      columns: [{ title: 'package', kind: 'name' }, ...arms.map(({ role }) => ({ title: role }))],
      rows: different.map(({ path, versions }) => [{ code: path }, ...versions]),
    },
  ];
}
