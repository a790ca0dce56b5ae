import { readFileSync } from 'node:fs';

const CSS = readFileSync(new URL('./flamegraph.css', import.meta.url), 'utf8');
const AA_TEXT = 4.5;
const AA_GRAPHICS = 3;

/** Both themes of every colour, channels 0…255. @type {Map<string, [number[], number[]]>} */
const COLOURS = new Map(
  [...CSS.matchAll(/--flame-([\w-]+): light-dark\(#(\w{6}), #(\w{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, [readHex(light), readHex(dark)]],
  ),
);
const FILLS = [...COLOURS.keys()].filter((name) =>
  /^(?:more|less)-|^(?:same|other|js|builtin|code|native|kernel|gc|program|match)$/.test(name),
);
/** How much black lies on a fill in hatches and dots, in each theme. */
const INK = [...(CSS.match(/--flame-ink: .*/)?.[0].matchAll(/\/ (\d+)%/g) ?? [])].map(
  ([, percent]) => Number(percent) / 100,
);

describe.each([
  ['light', 0],
  ['dark', 1],
])('in the %s theme', (_, theme) => {
  test.each(FILLS)('labels can be read on %s, hatched or not', (name) => {
    const fill = colourOf(name, theme);
    const inked = fill.map((channel) => channel * (1 - (INK[theme] ?? 0)));
    expect(contrast(colourOf('text', theme), fill)).toBeGreaterThanOrEqual(AA_TEXT);
    expect(contrast(colourOf('text', theme), inked)).toBeGreaterThanOrEqual(AA_TEXT);
  });

  test.each(FILLS)('the focus shows on %s', (name) => {
    const ratio = contrast(colourOf('focus', theme), colourOf(name, theme));
    expect(ratio).toBeGreaterThanOrEqual(AA_GRAPHICS);
  });

  test.each([
    ['quiet', 'panel'],
    ['text', 'panel'],
    ['line', 'focus'],
  ])('%s can be read on %s', (text, ground) => {
    expect(contrast(colourOf(text, theme), colourOf(ground, theme))).toBeGreaterThanOrEqual(
      AA_TEXT,
    );
  });
});

test('every kind of frame and every step has its colour', () => {
  expect(FILLS).toHaveLength(18);
  expect(INK).toHaveLength(2);
});

/** @type {(name: string, theme: number) => number[]} */
function colourOf(name, theme) {
  const colour = COLOURS.get(name)?.[theme];
  if (colour === undefined) throw new Error(`no colour ${name}`);
  return colour;
}

/** @param {string} hex */
function readHex(hex) {
  return [0, 2, 4].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
}

/** Contrast ratio of WCAG 2. @type {(first: number[], second: number[]) => number} */
function contrast(first, second) {
  const [low = 0, high = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** @param {number[]} channels */
function luminance(channels) {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
