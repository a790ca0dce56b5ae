/// <reference lib="dom" />
/** The page of a cell: what is under the pointer or the cursor, and the table of all merges. Runs in the browser. */

/** @typedef {[index: number, hash: string, date: string, subject: string, ratio: string, interval: string, level: string, time: string]} Row */

/** Starts the plots of the page and its table, if it has them. */
export function startCourses() {
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
