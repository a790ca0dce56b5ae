/// <reference lib="dom" />
/** Fills that work without colour: hatching for functions that vanished, dots for new ones. */

const COLOUR_STEPS = [0, 1, 2, 3, 4];

/** Adds both in each colour, once for all flamegraphs of the page. */
export function addPatterns() {
  const patterns = COLOUR_STEPS.flatMap((step) => [
    `<pattern id="flame-gone-${step}" class="less-${step}" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="8" height="8"/><path d="M0 0V8" class="flame-ink" stroke-width="5"/></pattern>`,
    `<pattern id="flame-new-${step}" class="more-${step}" width="7" height="7" patternUnits="userSpaceOnUse"><rect width="7" height="7"/><circle cx="3.5" cy="3.5" r="1.3" class="flame-ink"/></pattern>`,
  ]);
  const template = document.createElement('template');
  template.innerHTML = `<svg class="flame-patterns" width="0" height="0" aria-hidden="true">${patterns.join('')}</svg>`;
  document.body.append(template.content);
}
