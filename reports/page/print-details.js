/// <reference lib="dom" />
/** Opens what is folded before the page is printed, and folds it again. Runs in the browser. */

/** Listens to the begin and the end of printing. */
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
