import { describeAlert, titleOf } from '../../../reports/content/alert.js';
import { renderMarkdown } from '../../../reports/document/markdown.js';
import { UsageError } from '../../lib/errors.js';
import { isAlert, isConfirmed } from '../../stats/alarms.js';
import { makePlain } from './comment.js';
import { openApi } from './github.js';

/** @import { FollowedChange, Following } from '../../formats/types.ts' */
/** @import { Gh, Repository } from './github.js' */

/** By which the issues of alerts are found; whoever may set it may already close them. */
const LABEL = 'assay';
/** Raised by one call: more at once are a mistake of the set-up rather than news, and GitHub slows down who posts much. */
const MAX_RAISED = 10;

/**
 * Why the issue of an alert was closed; `open` while it is not.
 *
 * @typedef {'open' | 'acknowledged' | 'restored' | 'gone'} AlertState
 */

/**
 * What the hidden first line of an issue says.
 *
 * @typedef {object} AlertMarker
 * @property {string} marker distinguishes several followed packages of one repository
 * @property {string} branch
 * @property {string} before whole hash
 * @property {string} after whole hash
 * @property {AlertState} state that Assay has last given the issue
 */

/**
 * An issue, as the API returns it.
 *
 * @typedef {object} PostedIssue
 * @property {string} id
 * @property {string} url
 * @property {'OPEN' | 'CLOSED'} state
 * @property {string} body
 */

/** @typedef {{ title: string, body: string }} IssueText */

/**
 * What is done with an issue. Nobody is asked, so every sentence says why.
 *
 * @typedef {{ action: 'raise', alert: FollowedChange }
 *   | { action: 'narrow', issue: PostedIssue, alert: FollowedChange }
 *   | { action: 'close' | 'reopen', issue: PostedIssue, marker: AlertMarker, why: string }} IssueAction
 */

/**
 * Makes the issues of a repository say what the records say: one open issue for each alert. What people do with an
 * issue stays: one that somebody closed is not opened again, nor one that somebody opened again closed for the same reason.
 *
 * @param {Following} following
 * @param {string} marker distinguishes several followed packages of one repository
 * @param {ReturnType<typeof openIssues>} issues
 * @returns {Promise<{ done: string[], notes: string[] }>} `done`: a line for each issue that was raised or changed
 * @throws {import('../../lib/errors.js').MachineError} when gh fails
 */
export async function postAlerts(following, marker, issues) {
  const posted = await issues.list();
  const actions = planIssues(following, marker, posted);
  const raised = actions.filter(({ action }) => action === 'raise');
  const late = new Set(raised.slice(MAX_RAISED));
  const done = [];
  if (raised.length > 0 && posted.length === 0) await issues.addLabel();
  for (const each of actions.filter((action) => !late.has(action))) {
    done.push(await act(each, { following, marker }, issues));
  }
  const notes = late.size === 0 ? [] : [`${late.size} more alerts are raised by the next call`];
  return { done, notes };
}

/**
 * @param {IssueAction} action
 * @param {{ following: Following, marker: string }} context
 * @param {ReturnType<typeof openIssues>} issues
 * @returns {Promise<string>} what was done
 */
async function act(action, { following, marker }, issues) {
  switch (action.action) {
    case 'raise':
    case 'narrow': {
      const text = writeIssue(action.alert, following, marker);
      if (action.action === 'raise') return `raised ${await issues.create(text)}`;
      await issues.edit(action.issue.id, text);
      return `narrowed ${action.issue.url}`;
    }
    case 'close':
    case 'reopen': {
      const { issue, why } = action;
      const body = issue.body.replace(LINE, `${writeAlertMarker(action.marker)}$<end>`);
      const state = action.action === 'close' ? 'CLOSED' : 'OPEN';
      await issues.turn(issue.id, { body, state, comment: why });
      return `${action.action === 'close' ? 'closed' : 'opened again'} ${issue.url}`;
    }
  }
}

/** @type {(alert: FollowedChange, following: Following, marker: string) => IssueText} */
function writeIssue(alert, following, marker) {
  const { before, after } = alert;
  const line = writeAlertMarker({ marker, branch: following.branch, before, after, state: 'open' });
  const text = renderMarkdown(describeAlert(alert, following), line);
  // GitHub links a hash that is no code, and Markdown of a document has none.
  return { title: titleOf(alert), body: COMMIT.test(after) ? `${text}\n${after}\n` : text };
}

const COMMIT = /^[0-9a-f]{40}$/;

/**
 * @param {Following} following
 * @param {string} marker
 * @param {PostedIssue[]} posted
 * @returns {IssueAction[]}
 */
export function planIssues(following, marker, posted) {
  const branch = makePlain(following.branch);
  const own = posted.flatMap((issue) => {
    const read = readAlertMarker(issue.body);
    return read?.marker === marker && read.branch === branch ? [{ issue, read }] : [];
  });
  const alerts = following.changes.filter(isAlert);
  const same = own.map(({ read }) => findSame(following, read));
  const known = new Set(same);
  const actions = own.flatMap(({ issue, read }, place) => {
    const change = same[place] ?? findInside(following, read, known);
    known.add(change);
    return actOn(issue, read, change);
  });
  return [
    ...actions,
    ...alerts
      .filter((alert) => !known.has(alert))
      .map((alert) => /** @type {const} */ ({ action: 'raise', alert })),
  ];
}

/** @type {(following: Pick<Following, 'changes'>) => FollowedChange[]} */
function listSlower({ changes }) {
  return changes.filter(({ direction }) => direction === 'slower');
}

/** @type {(following: Following, marker: AlertMarker) => FollowedChange | undefined} that of the commits of an issue; rather a confirmed one */
function findSame(following, { before, after }) {
  const same = listSlower(following).filter(
    (change) => change.before === before && change.after === after,
  );
  return same.find(isConfirmed) ?? same[0];
}

/**
 * What became of an issue about several commits when a search has told these apart: one among them that has no issue, and
 * rather one that is an alert.
 *
 * @type {(following: Following, marker: AlertMarker, known: ReadonlySet<FollowedChange | undefined>) => FollowedChange | undefined}
 */
function findInside(following, { before, after }, known) {
  const { commits } = following;
  const placeOf = (/** @type {string} */ hash) =>
    commits.findIndex(({ revision }) => revision === hash);
  // What comes before the first commit has no place among them, and -1 is right for it.
  const [first, last] = [placeOf(before), placeOf(after)];
  const inside = listSlower(following).filter((change) => {
    const isWithin = placeOf(change.before) >= first && placeOf(change.after) <= last && last >= 0;
    return isWithin && !known.has(change);
  });
  return inside.find(isAlert) ?? inside[0];
}

/**
 * @param {PostedIssue} issue
 * @param {AlertMarker} read from it
 * @param {FollowedChange | undefined} change that it is about
 * @returns {IssueAction[]}
 */
function actOn(issue, read, change) {
  // Whatever it becomes, nothing is known yet.
  if (change?.state === 'suspected') return [];
  const isOpen = issue.state === 'OPEN';
  const { state, why } = stateOf(change);
  if (state !== 'open') {
    const closed = { ...read, state };
    return isOpen && read.state === 'open' ? [{ action: 'close', issue, marker: closed, why }] : [];
  }
  if (change === undefined) return [];
  if (read.state !== 'open' && !isOpen) {
    return [{ action: 'reopen', issue, marker: { ...read, state }, why }];
  }
  const isSame = read.before === change.before && read.after === change.after;
  return isOpen && !isSame ? [{ action: 'narrow', issue, alert: change }] : [];
}

/** @type {(change: FollowedChange | undefined) => { state: AlertState, why: string }} */
function stateOf(change) {
  const { state, restoredBy = '', acknowledged } = change ?? {};
  switch (state) {
    case 'open':
      return {
        state: 'open',
        why: 'What this was closed for no longer holds: the change is there, and no line of assay-changes.txt answers it.',
      };
    case 'acknowledged':
      return {
        state: 'acknowledged',
        why: `Line ${acknowledged?.line} of assay-changes.txt answers it: ${acknowledged?.answer}. Opened again if that line goes.`,
      };
    case 'restored':
      return { state: 'restored', why: `Commit ${restoredBy} restored the level.` };
    default:
      return {
        state: 'gone',
        why: 'The records of the branch no longer show this change, or show it as that of another issue.',
      };
  }
}

const STATES = 'open|acknowledged|restored|gone';
const LINE = new RegExp(
  `^<!-- assay-alert (?<marker>\\S+) (?<branch>\\S+) (?<before>[0-9a-f]+) (?<after>[0-9a-f]+) (?<state>${STATES}) -->(?<end>\\r?\\n|$)`,
);

/** @type {(alert: AlertMarker) => string} */
export function writeAlertMarker({ marker, branch, before, after, state }) {
  const words = [marker, branch, before, after, state].map(makePlain);
  return `<!-- assay-alert ${words.join(' ')} -->`;
}

/** @type {(body: string) => AlertMarker | null} null if it is no alert */
function readAlertMarker(body) {
  const { marker, branch, before, after, state } = LINE.exec(body)?.groups ?? {};
  if (marker === undefined) return null;
  return { marker, branch, before, after, state: /** @type {AlertState} */ (state) };
}

const LIST = `query($id: ID!, $label: String!, $after: String) {
  node(id: $id) {
    ... on Repository {
      issues(first: 50, after: $after, labels: [$label]) {
        nodes { id url state body }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`;
const EDIT = `mutation($id: ID!, $title: String!, $body: String!) {
  updateIssue(input: { id: $id, title: $title, body: $body }) { issue { url } }
}`;
/** In one request, so that no failure leaves half of it. */
const TURN = `mutation($id: ID!, $body: String!, $state: IssueState!, $comment: String!) {
  updateIssue(input: { id: $id, body: $body, state: $state }) { issue { url } }
  addComment(input: { subjectId: $id, body: $comment }) { subject { id } }
}`;

/**
 * The issues of alerts in a repository.
 *
 * @param {Repository} repository
 * @param {Gh} gh
 */
export function openIssues({ id: repositoryId, name, hostname, hasIssuesEnabled }, gh) {
  if (!hasIssuesEnabled) {
    throw new UsageError(`'${name}' has no issues`, {
      remedy: 'turn them on in its settings, or leave out --post and read the summary',
    });
  }
  const { ask, list } = openApi(hostname, gh);
  const where = ['--repo', `${hostname}/${name}`];
  return {
    /** @returns {Promise<PostedIssue[]>} all with the label, closed ones, too */
    list: () => list(LIST, { id: repositoryId, label: LABEL }, ({ node }) => node.issues),
    async addLabel() {
      const more = ['--force', '--color', 'd93f0b', '--description', 'Something got slower'];
      await gh(['label', 'create', LABEL, ...where, ...more]);
    },
    /** @param {IssueText} text @returns {Promise<string>} its URL */
    async create({ title, body }) {
      const text = ['--title', title, '--body-file', '-'];
      return (await gh(['issue', 'create', ...where, ...text, '--label', LABEL], body)).trim();
    },
    /** @param {string} id @param {IssueText} text */
    edit: (id, text) => ask(EDIT, { id, ...text }),
    /** @param {string} id @param {{ body: string, state: PostedIssue['state'], comment: string }} change */
    turn: (id, change) => ask(TURN, { id, ...change }),
  };
}
