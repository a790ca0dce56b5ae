/** SQL over the result store, by DuckDB, which reads the files in place. */

import { PROGRAM } from '../../lib/program.js';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MachineError, UsageError } from '../../lib/errors.js';
import { quoteWords } from '../../lib/words.js';

/** An optional package, which is not a dependency: with its library it takes 70 MB. */
const DUCKDB = { name: '@duckdb/node-api', version: '1.5.6-r.1' };

/**
 * Tables of a query. The schema is given, so that not every file is read before the first answer.
 *
 * @type {Readonly<Record<string, string>>}
 */
const TABLES = Object.freeze({
  comparisons: `SELECT regexp_extract(filename, '([0-9a-f]{12})[0-9a-f]*\\.json$', 1) AS record,
        identity.runId AS run, identity.createdAt::TIMESTAMP AS created, command, ended, seconds,
        identity.question.family AS family, identity.assay.revision AS assay,
        CASE WHEN severalHosts THEN NULL ELSE identity.environment.cpuModel END AS processor,
        identity.environment.node AS node
      FROM records`,
  cells: `SELECT regexp_extract(filename, '([0-9a-f]{12})[0-9a-f]*\\.json$', 1) AS record,
        identity.createdAt::TIMESTAMP AS created, identity.question.family AS family,
        cell.cellId AS cell, cell.operation AS operation, cell.corpus AS corpus,
        coalesce(cell.runtime, 'node@' || identity.environment.node) AS runtime, cell.baseline AS baseline,
        cell.candidate AS candidate, cell.verdict AS verdict, cell.ratio.estimate AS ratio,
        cell.ratio.low AS low, cell.ratio.high AS high, cell.standardError AS standard_error,
        cell.processes AS processes, cell.baselineNs AS baseline_ns, cell.candidateNs AS candidate_ns
      FROM (SELECT filename, identity, unnest(cells) AS cell FROM records)`,
  observations: `SELECT regexp_extract(filename, '([0-9a-f]{12})[0-9a-f]*\\.json$', 1) AS record,
        arm.cellId AS cell, arm.variant AS variant, arm.arm AS arm, unnest(arm.figuresNs) AS ns
      FROM (SELECT filename, unnest(processes) AS arm FROM records)`,
});

/** What of a record the tables need. */
const COLUMNS = `{command: 'VARCHAR', ended: 'VARCHAR', seconds: 'DOUBLE', severalHosts: 'BOOLEAN',
  identity: 'STRUCT(runId VARCHAR, createdAt VARCHAR, assay STRUCT(revision VARCHAR), question STRUCT(family VARCHAR),
    environment STRUCT(cpuModel VARCHAR, node VARCHAR))',
  cells: 'STRUCT(cellId VARCHAR, operation VARCHAR, corpus VARCHAR, runtime VARCHAR, baseline VARCHAR, candidate VARCHAR,
    verdict VARCHAR, ratio STRUCT(estimate DOUBLE, low DOUBLE, high DOUBLE), standardError DOUBLE, processes INTEGER,
    baselineNs DOUBLE, candidateNs DOUBLE)[]',
  processes: 'STRUCT(cellId VARCHAR, arm VARCHAR, variant VARCHAR, figuresNs DOUBLE[])[]'}`;

/** As `readRecords` selects. */
const LAST_OF_EACH_RUN = `QUALIFY row_number() OVER (
    PARTITION BY identity.createdAt, identity.runId ORDER BY seconds DESC, filename) = 1`;

/** Types of columns that are whole numbers. */
const WHOLE = /^U?(?:BIG|HUGE)INT$/;

/** What JSON can hold; lists and structures among them. @typedef {unknown} ResultValue */

/**
 * @param {string} sql one query
 * @param {string} path of the store, which has a record
 * @param {{ toolsPath: string }} places
 * @returns {Promise<{ columns: string[], rows: ResultValue[][] }>}
 * @throws {UsageError} when the query is wrong
 * @throws {MachineError} when DuckDB is not installed
 */
export async function queryRecords(sql, path, { toolsPath }) {
  const { DuckDBInstance } = await loadDuckDb(toolsPath);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    const files = join(path, '*.json').replaceAll("'", "''");
    await connection.run(
      `CREATE VIEW records AS SELECT * FROM read_json('${files}', format = 'unstructured', filename = true, columns = ${COLUMNS})
        ${LAST_OF_EACH_RUN}`,
    );
    for (const [name, text] of Object.entries(TABLES)) {
      await connection.run(`CREATE VIEW ${name} AS ${text}`);
    }
    const reader = await connection.runAndReadAll(sql);
    const types = reader.columnTypes().map(String);
    return {
      columns: reader.columnNames(),
      rows: reader.getRowsJson().map((/** @type {ResultValue[]} */ row) =>
        // DuckDB gives large integers as text.
        row.map((value, index) =>
          WHOLE.test(types[index]) && value !== null ? Number(value) : value,
        ),
      ),
    };
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new UsageError(`the query failed: ${message}`, {
      cause,
      remedy: `'${PROGRAM} history --help' lists the tables and their columns`,
    });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/**
 * @param {string} toolsPath
 * @returns {Promise<any>} the module
 */
async function loadDuckDb(toolsPath) {
  const home = join(toolsPath, 'duckdb');
  const places = [join(home, 'package.json'), import.meta.url];
  for (const place of places) {
    try {
      const file = createRequire(place).resolve(DUCKDB.name);
      return await import(pathToFileURL(file).href);
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  const install = [
    'npm',
    'install',
    '--prefix',
    home,
    '--no-save',
    `${DUCKDB.name}@${DUCKDB.version}`,
  ];
  throw new MachineError('--sql needs DuckDB, which is not installed', {
    remedy: `install it with: ${quoteWords(install)}`,
  });
}
