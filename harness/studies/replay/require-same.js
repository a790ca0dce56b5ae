import { quoteText, refuse } from './refuse.js';

/** @import { Manifest, PreparedCorpus, ReplayRecord, ReplayVariant, ResolvedVariant, Runtime } from '../../formats/types.ts' */

const REGISTRY_REMEDY = 'check the registry that the package comes from';
const SHOWN_DIGEST_LENGTH = 'sha256:'.length + 12;

/**
 * Refuses to measure anything but what the report measured: the same code, the same documents, the
 * same Nodes.
 *
 * @param {ReplayRecord} record checked
 * @param {object} here what was found for it
 * @param {Pick<Manifest['variants'], 'baseline' | 'candidate'>} here.variants
 * @param {PreparedCorpus[]} here.corpora
 * @param {Runtime[]} here.runtimes
 * @throws {import('../../lib/errors.js').FormatError} naming the first that is another
 */
export function requireSame(record, { variants, corpora, runtimes }) {
  for (const corpus of corpora) requireSameCorpus(record, corpus);
  for (const runtime of runtimes) requireSameRuntime(record, runtime);
  for (const side of /** @type {const} */ (['baseline', 'candidate'])) {
    requireSameVariant(record, record.variants[side], variants[side]);
  }
}

/**
 * @param {Pick<ReplayRecord, 'corpora' | 'assay'>} record
 * @param {PreparedCorpus} found
 */
function requireSameCorpus({ corpora, assay }, { label, digest }) {
  const recorded = corpora.find((corpus) => corpus.label === label)?.digest;
  if (recorded === digest) return;
  refuse(
    `the corpus ${quoteText(label)} ${tellDigests(recorded, digest)}`,
    `other documents give other figures: import those of the report, or ${checkOut(assay)}`,
  );
}

/**
 * @param {Pick<ReplayRecord, 'runtimes'>} record
 * @param {Runtime} found
 */
function requireSameRuntime({ runtimes }, { node, packageName, integrity }) {
  // Another platform has another package, which shows in the architecture.
  const recorded = runtimes.find((one) => one.node === node && one.packageName === packageName);
  if (recorded === undefined || recorded.integrity === integrity) return;
  refuse(
    `Node ${node} from npm is not the one that measured: its integrity was ${quoteText(recorded.integrity)} and is ${quoteText(integrity)}`,
    'check the registry that npm is set to',
  );
}

/**
 * @param {Pick<ReplayRecord, 'assay' | 'question'>} record
 * @param {ReplayVariant} recorded
 * @param {ResolvedVariant} found
 */
function requireSameVariant(record, recorded, found) {
  const name = quoteText(recorded.spec);
  if (isPackage(recorded) && recorded.integrity !== found.integrity) {
    const then = quoteText(recorded.integrity ?? 'unknown');
    const now = quoteText(found.integrity ?? 'unknown');
    refuse(
      `${name} is another package here: its integrity was ${then} and is ${now}`,
      REGISTRY_REMEDY,
    );
  }
  if (recorded.kind === 'git' && recorded.revision?.commit !== found.revision?.commit) {
    refuse(
      `${name} was commit ${recorded.revision?.commit} and is ${found.revision?.commit ?? 'none'} here`,
      'name the checkout that has it with --map',
    );
  }
  if (recorded.digest === found.digest) return;
  refuse(`${name} ${tellDigests(recorded.digest, found.digest)}`, tellRemedy(recorded, record));
}

/**
 * @param {ReplayVariant} recorded
 * @param {Pick<ReplayRecord, 'assay' | 'question'>} record
 * @returns {string}
 */
function tellRemedy({ kind, revision }, { assay, question: { build } }) {
  switch (kind) {
    case 'built-in':
      return `its sources are part of Assay: ${checkOut(assay)}`;
    case 'npm':
      return REGISTRY_REMEDY;
    case 'package':
      return `it is measured by a program that is part of Assay: ${checkOut(assay)}`;
    case 'git':
      return build === undefined
        ? 'its build does not give the same bytes here; compare the commits by hand: just compare'
        : `its build does not give the same bytes here; it was built with ${quoteText(build)}, which --build lets run`;
    case 'path': {
      const where = revision === undefined ? '' : ` from commit ${revision.commit}`;
      const changes = revision?.changes == null ? '' : ', which had uncommitted changes';
      return `map it to the same module, built anew${where}${changes}`;
    }
  }
}

/** @param {ReplayVariant} variant */
function isPackage({ kind }) {
  return kind === 'npm' || kind === 'package';
}

/** @param {ReplayRecord['assay']} assay */
function checkOut({ version, revision, dirty }) {
  const what =
    revision === null
      ? `use Assay ${quoteText(version)}, which measured it`
      : `check out revision ${quoteText(revision)} of Assay, which measured it`;
  return dirty ? `${what} (it had uncommitted changes)` : what;
}

/**
 * @param {string | undefined} recorded
 * @param {string} found
 */
function tellDigests(recorded, found) {
  const [then, now] = [recorded ?? 'unknown', found].map((digest) =>
    digest.slice(0, SHOWN_DIGEST_LENGTH),
  );
  return `is not what was measured: it had the digest ${then}… and has ${now}… here`;
}
