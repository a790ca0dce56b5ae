/// <reference lib="dom" />
/** Opens folded sections for printing and closes them afterwards. Runs in the browser. */

/** Starts listening to printing. */
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
