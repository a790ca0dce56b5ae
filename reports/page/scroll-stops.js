/// <reference lib="dom" />
/** Tables that scroll are stops of the Tab key; the others need not be. Runs in the browser. */

/** Keeps that true of every table, whatever the width of the window. */
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
