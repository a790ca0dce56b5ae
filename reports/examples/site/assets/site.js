(() => {
'use strict';
/// <reference lib="dom" />
/** The theme of the page: the system's, or the reader's choice. Runs in the browser. */

const STORAGE_KEY = 'assay-theme';
const THEMES = ['light', 'dark'];

/** Applies the theme that was chosen last; runs before anything is drawn. */
function applyTheme() {
  showTheme(recallTheme());
}

/** Shows and enables the menu of themes. */
function startThemeSwitch() {
  const select = /** @type {HTMLSelectElement | null} */ (document.querySelector('#theme'));
  if (select === null) return;
  select.value = recallTheme();
  select.addEventListener('change', () => {
    showTheme(select.value);
    rememberTheme(select.value);
  });
  select.closest('label')?.removeAttribute('hidden');
}

/** @param {string} theme `light` or `dark`; anything else follows the system */
function showTheme(theme) {
  if (THEMES.includes(theme)) document.documentElement.dataset['theme'] = theme;
  else delete document.documentElement.dataset['theme'];
}

/** @returns {string} `system` where nothing was chosen or storage is not allowed */
function recallTheme() {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? 'system';
  } catch {
    return 'system';
  }
}

/**
 * Some browsers store nothing for pages opened from a file; the choice then lasts until the page is
 * closed.
 * @param {string} theme
 */
function rememberTheme(theme) {
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    return;
  }
}

/// <reference lib="dom" />
/** Sorting of tables, copy buttons, keyboard access to tables that scroll, what links and printing unfold. Runs in the browser. */

/** Adds a button to every sortable column of the page. */
function startSorting() {
  const tables = /** @type {NodeListOf<HTMLTableElement>} */ (
    document.querySelectorAll('table.sortable')
  );
  for (const table of tables) {
    for (const header of table.querySelectorAll('th[data-sortable]')) {
      addButton(table, /** @type {HTMLTableCellElement} */ (header));
    }
  }
}

/** @param {HTMLTableElement} table @param {HTMLTableCellElement} header */
function addButton(table, header) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'sort';
  button.append(...header.childNodes);
  header.append(button);
  button.addEventListener('click', () => sortBy(table, header));
}

/**
 * The first press sorts figures largest first and names alphabetically, the next one reverses that.
 * @param {HTMLTableElement} table @param {HTMLTableCellElement} header
 */
function sortBy(table, header) {
  const body = table.tBodies[0];
  if (body === undefined) return;
  const column = header.cellIndex;
  const rows = [...body.rows].map((row) => ({ row, key: readKey(row.cells[column]) }));
  const isNumeric = rows.some(({ key }) => typeof key === 'number');
  const first = isNumeric ? 'descending' : 'ascending';
  const second = isNumeric ? 'ascending' : 'descending';
  const direction = header.ariaSort === first ? second : first;
  rows.sort((a, b) => compareKeys(a.key, b.key, direction === 'ascending' ? 1 : -1));
  for (const other of table.querySelectorAll('th[aria-sort]')) other.removeAttribute('aria-sort');
  header.ariaSort = direction;
  body.append(...rows.map(({ row }) => row));
}

/** @type {(cell: HTMLTableCellElement | undefined) => number | string | null} null where there is no figure */
function readKey(cell) {
  const given = cell?.dataset['sort'];
  if (given === undefined) return cell?.textContent?.trim() ?? null;
  if (given === '') return null;
  return Number.isNaN(Number(given)) ? given : Number(given);
}

/**
 * @param {number | string | null} a
 * @param {number | string | null} b
 * @param {1 | -1} direction
 * @returns {number} rows without a figure stay last
 */
function compareKeys(a, b, direction) {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return direction * (a - b);
  return direction * String(a).localeCompare(String(b));
}

/** Shows and enables the buttons that copy a command. */
function startCopyButtons() {
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (
    document.querySelectorAll('button.copy')
  );
  for (const button of buttons) {
    const code = button.parentElement?.querySelector('code');
    if (code === null || code === undefined) continue;
    button.hidden = false;
    button.addEventListener('click', () => copyText(button, code));
  }
}

/**
 * Copies the text, or selects it where the browser forbids copying.
 * @param {HTMLButtonElement} button @param {HTMLElement} code
 */
async function copyText(button, code) {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '');
    button.textContent = 'Copied';
  } catch {
    window.getSelection()?.selectAllChildren(code);
    button.textContent = 'Selected';
  }
}

/** Makes the tables that scroll, and only those, reachable by the Tab key. */
function startScrollStops() {
  const parts = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.scroll'));
  const widths = new ResizeObserver((entries) => {
    for (const { target } of entries) markScrolling(/** @type {HTMLElement} */ (target));
  });
  for (const part of parts) {
    markScrolling(part);
    widths.observe(part);
  }
}

/** @param {HTMLElement} part */
function markScrolling(part) {
  if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
  else part.removeAttribute('tabindex');
}

/** Unfolds what a link within the page, or the address of the page, leads to. */
function startLinkDetails() {
  openTarget(location.hash);
  window.addEventListener('hashchange', () => openTarget(location.hash));
  // A link to where the page already is changes no address.
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a[href^="#"]') : null;
    if (link instanceof HTMLAnchorElement) openTarget(link.hash);
  });
}

/** @param {string} hash `#cell-1` */
function openTarget(hash) {
  const target = document.getElementById(hash.slice(1));
  for (let element = target; element !== null; element = element.parentElement) {
    if (element instanceof HTMLDetailsElement) element.open = true;
  }
  target?.scrollIntoView();
}

/** Opens folded sections for printing and closes them afterwards. */
function startPrintDetails() {
  /** @type {HTMLDetailsElement[]} */
  let opened = [];
  window.addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details')].filter(({ open }) => !open);
    for (const details of opened) details.open = true;
  });
  window.addEventListener('afterprint', () => {
    for (const details of opened) details.open = false;
    opened = [];
  });
}

/// <reference lib="dom" />
/** The page of a cell: what is under the pointer or the cursor, and the table of all merges. Runs in the browser. */

/** @typedef {[index: number, hash: string, date: string, subject: string, ratio: string, interval: string, level: string, time: string]} Row */

/** Starts the plots of the page and its table, if it has them. */
function startCourses() {
  const data = document.querySelector('#course-data');
  const courses = /** @type {HTMLElement | null} */ (document.querySelector('.courses'));
  if (data === null || courses === null) return;
  /** @type {Row[]} */
  const rows = JSON.parse(data.textContent ?? '[]');
  startReadout(courses, rows);
  const details = document.querySelector('#points');
  details?.addEventListener('toggle', () => fillTable(rows), { once: true });
}

/** @param {HTMLElement} courses @param {Row[]} rows */
function startReadout(courses, rows) {
  let at = rows.length;
  const show = (/** @type {number} */ place) => {
    at = Math.min(rows.length - 1, Math.max(0, place));
    showPoint(courses, rows[at]);
  };
  show(at);
  for (const plot of courses.querySelectorAll('svg')) {
    plot.addEventListener('pointermove', (event) => show(findPlace(plot, event.clientX, rows)));
    plot.addEventListener('click', (event) => {
      if (event.target instanceof Element && event.target.closest('a') !== null) return;
      openMerge(rows[findPlace(plot, event.clientX, rows)]);
    });
  }
  courses.addEventListener('keydown', (event) => {
    const steps = {
      ArrowLeft: -1,
      ArrowRight: 1,
      PageUp: -20,
      PageDown: 20,
      Home: -Infinity,
      End: Infinity,
    };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (step !== undefined) {
      event.preventDefault();
      show(at + step);
    } else if (event.key === 'Enter' && rows[at] !== undefined) {
      openMerge(rows[at]);
    }
  });
}

/** @type {(plot: SVGSVGElement, clientX: number, rows: Row[]) => number} the nearest row */
function findPlace(plot, clientX, rows) {
  const { left, width } = plot.getBoundingClientRect();
  const x = ((clientX - left) / width) * plot.viewBox.baseVal.width;
  const index = (x - Number(plot.dataset['left'])) / Number(plot.dataset['step']) - 0.5;
  let nearest = 0;
  for (const [place, [own]] of rows.entries()) {
    if (Math.abs(own - index) < Math.abs((rows[nearest]?.[0] ?? 0) - index)) nearest = place;
  }
  return nearest;
}

/** @param {HTMLElement} courses @param {Row | undefined} row */
function showPoint(courses, row) {
  if (row === undefined) return;
  const [index, hash, date, subject, ratio, interval, , time] = row;
  for (const plot of courses.querySelectorAll('svg')) {
    const { left, step, top, bottom } = plot.dataset;
    const x = Number(left) + (index + 0.5) * Number(step);
    plot.querySelector('.cursor')?.setAttribute('d', `M${x} ${top}V${bottom}`);
  }
  const readout = courses.querySelector('.readout');
  if (readout === null) return;
  readout.replaceChildren(linkOf(hash), ` ${date} · ${ratio} (${interval}) · ${time} · ${subject}`);
}

/** @param {Row | undefined} row */
function openMerge(row) {
  if (row !== undefined) location.assign(addressOf(row[1]));
}

/** @param {string} hash */
function addressOf(hash) {
  return `../merges/${encodeURIComponent(hash)}.html`;
}

/** @param {string} hash */
function linkOf(hash) {
  const link = document.createElement('a');
  link.href = addressOf(hash);
  link.textContent = hash;
  return link;
}

/** @param {Row[]} rows */
function fillTable(rows) {
  const body = document.querySelector('#course-table tbody');
  body?.replaceChildren(...rows.toReversed().map(rowOf));
}

/** @param {Row} row */
function rowOf([, hash, date, subject, ratio, interval, level, time]) {
  const row = document.createElement('tr');
  const head = document.createElement('th');
  head.scope = 'row';
  head.append(linkOf(hash));
  row.append(head);
  for (const [place, text] of [date, ratio, interval, level, time, subject].entries()) {
    const cell = row.insertCell();
    cell.textContent = text;
    if (place > 0 && place < 5) cell.className = 'figure';
    if (place === 5) cell.className = 'wraps';
  }
  return row;
}

startThemeSwitch(); startSorting(); startScrollStops(); startLinkDetails(); startPrintDetails(); startCopyButtons(); startCourses();
})();
