import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EXIT } from '../../lib/errors.js';
import { writeNote } from '../../lib/messages.js';
import { countOf } from '../../lib/numbers.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT } from '../../lib/project.js';
import { FOLLOWING_OPTIONS, openFollowing } from '../following.js';
import { option, word } from '../options.js';
import { showPath } from '../terminal.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */
/** @import { Following } from '../../formats/types.ts' */
/** @import { SiteFile } from '../site-files.js' */

const OPTIONS = {
  out: option('--out <directory>', 'where to write it (default: .assay/site)', word),
  ...FOLLOWING_OPTIONS,
  reports: option(
    '--reports <directory>',
    'reports to copy, one RUN.html each (default: reports in the store)',
    word,
  ),
  title: option('--title <text>', 'title of the first page', word),
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'write static pages that show every measured merge of a branch',
  arguments: [],
  options: OPTIONS,
  notes: `
The pages need neither a server nor a network: open index.html, or publish the
directory. Building again from the same records writes the same bytes, and removes
pages of its own that are no longer needed.

Examples:
  ${PROGRAM} site --out site
  ${PROGRAM} site --store results/store --reports results/reports --out public

Exit status: 0 done, 2 usage.`,
  run,
};

/** @type {(_args: [], options: OptionValues<typeof OPTIONS>, io: Io) => Promise<number>} exit status */
async function run(_args, options, io) {
  const { writeSite } = await import('../site-files.js');

  const at = (/** @type {string} */ path) => resolve(io.workingPath, path);
  const out = options.out === undefined ? join(PROJECT.statePath, 'site') : at(options.out);
  const store = options.store === undefined ? PROJECT.historyPath : at(options.store);
  const reports = options.reports === undefined ? join(store, 'reports') : at(options.reports);
  const following = await openFollowing(options, io);
  const files = await listFiles(following, { reports, title: options.title });
  const { written, removed } = writeSite(out, files);
  io.stdout.write(`${showPath(join(out, 'index.html'), io.workingPath)}\n`);
  writeNote(io.stderr, `${countOf(files.length, 'file')}: ${written} written, ${removed} removed`);
  return EXIT.done;
}

/**
 * @param {Following} following
 * @param {{ reports: string, title: string | undefined }} settings `reports`: absolute path
 * @returns {Promise<SiteFile[]>}
 */
async function listFiles(following, { reports, title }) {
  const { linkSite, SITE_ASSETS } = await import('../../../reports/document/assets.js');
  const { renderSitePage } = await import('../../../reports/document/html.js');
  const { listBadges, listPages, mapSite } = await import('../../../reports/content/site/site.js');
  const { readAssets } = await import('../publish.js');

  const reportOf = (/** @type {string} */ runId) => join(reports, `${runId}.html`);
  const runs = following.commits.flatMap(({ comparisons }) => comparisons);
  // Whatever a record says, no file outside of the directory is copied.
  const reported = [...new Set(runs.map(({ runId }) => runId))].filter(
    (runId) => !/[/\\]/.test(runId) && existsSync(reportOf(runId)),
  );
  const site = mapSite(following, { title, reports: reported });
  const shared = linkSite(await readAssets(SITE_ASSETS));
  return [
    ...Object.entries(shared.files).map(([path, text]) => ({ path, makeText: () => text })),
    ...listPages(site).map(({ path, describe }) => ({
      path,
      makeText: () => renderSitePage(describe(), shared.sourcesFor(path)),
    })),
    ...listBadges(site),
    ...[...site.reports].map(([runId, path]) => ({
      path,
      makeText: () => readFileSync(reportOf(runId), 'utf8'),
    })),
  ];
}
