/// <reference lib="dom" />
/** Makes tables that scroll reachable by the Tab key, and only those. Runs in the browser. */

/** Follows changes of the window's width. */
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
