/// <reference lib="dom" />

/**
 * The texts of a page that have too little contrast for WCAG AA. Runs in the browser and must
 * therefore hold all that it needs. Frames of flamegraphs are left to a test of their own.
 *
 * @returns {string[]} `3.9 rgb(…) on rgb(…): the text`
 */
export function listFaintTexts() {
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent?.trim() ?? '';
    const element = walker.currentNode.parentElement;
    if (text === '' || element === null || !isShown(element)) continue;
    const style = getComputedStyle(element);
    const ink = readColor(element.closest('svg') === null ? style.color : style.fill);
    const paper = paperBehind(element);
    const contrast = contrastOf(blend(ink, paper), paper);
    const sizePx = Number.parseFloat(style.fontSize);
    const isLarge = sizePx >= 24 || (sizePx >= 18.66 && Number(style.fontWeight) >= 700);
    if (contrast < (isLarge ? 3 : 4.5)) {
      found.add(`${contrast.toFixed(2)} ${ink} on ${paper}: ${text.slice(0, 40)}`);
    }
  }
  return [...found];

  /** @param {Element} element */
  function isShown(element) {
    if (element.closest('script, style, noscript, .flame-canvas, .skip') !== null) return false;
    return element.checkVisibility({ visibilityProperty: true });
  }

  /** @param {string} color @returns {number[]} red, green, blue, alpha */
  function readColor(color) {
    const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
    return [red, green, blue, alpha];
  }

  /** @param {Element} element @returns {number[]} of the nearest backgrounds, one over the other */
  function paperBehind(element) {
    const layers = [];
    for (let at = /** @type {Element | null} */ (element); at !== null; at = at.parentElement) {
      layers.push(readColor(getComputedStyle(at).backgroundColor));
    }
    return layers.reduceRight((below, layer) => blend(layer, below), [255, 255, 255, 1]);
  }

  /** @param {number[]} over @param {number[]} below @returns {number[]} */
  function blend(over, below) {
    const alpha = over[3] ?? 1;
    const mixed = [0, 1, 2].map((index) => {
      return (over[index] ?? 0) * alpha + (below[index] ?? 0) * (1 - alpha);
    });
    return [...mixed, 1];
  }

  /** @param {number[]} first @param {number[]} second */
  function contrastOf(first, second) {
    const [low = 0, high = 0] = [luminanceOf(first), luminanceOf(second)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  /** @param {number[]} color @returns {number} as WCAG 2.2 defines it */
  function luminanceOf(color) {
    const [red = 0, green = 0, blue = 0] = color.slice(0, 3).map((channel) => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }
}
