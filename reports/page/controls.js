/// <reference lib="dom" />
/** Sorting of tables, copy buttons, keyboard access to tables that scroll, what links and printing unfold. Runs in the browser. */

/** Adds a button to every sortable column of the page. */
export function startSorting() {
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
export function startCopyButtons() {
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
export function startScrollStops() {
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
export function startLinkDetails() {
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
export function startPrintDetails() {
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
