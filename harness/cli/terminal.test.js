import { openScreen } from '../testing/support/screen.js';
import { guardStreams, hasColor, terminalOf } from './terminal.js';

/** @param {Partial<import('./cli.js').TextSink>} sink @param {AbortSignal} [signal] */
function guard(sink, signal = new AbortController().signal) {
  const whole = Object.assign(sink, { write: sink.write ?? (() => true) });
  return guardStreams({ stdout: whole, stderr: whole, signal });
}

/** @param {string} text  @returns {string} what is written to a terminal for it */
function show(text) {
  let written = '';
  guard({ isTTY: true, write: (part) => void (written += part) }).stdout.write(text);
  return written;
}

test.each([
  ['lines and tabs', 'a\n\tb\n'],
  ['colours of a report', '\u001b[1mtitle\u001b[0m \u001b[31mbad\u001b[0m'],
  ['letters of any script', 'Grüße, 直列化 \u{1f680} שלום'],
])('lets %s through', (_, text) => {
  expect(show(text)).toBe(text);
});

test.each([
  ['a screen that is cleared', '\u001b[2J', '\\u{1b}[2J'],
  ['a cursor that moves up', '\u001b[3A\r', '\\u{1b}[3A\\r'],
  ['a line that is erased', '\u001b[K\u001b[J', '\\u{1b}[K\\u{1b}[J'],
  ['text that is concealed', '\u001b[8mx', '\\u{1b}[8mx'],
  ['a title', '\u001b]0;owned\u0007', '\\u{1b}]0;owned\\u{07}'],
  [
    'a link',
    '\u001b]8;;http://x.y\u001b\\z\u001b]8;;\u001b\\',
    '\\u{1b}]8;;http://x.y\\u{1b}\\z\\u{1b}]8;;\\u{1b}\\',
  ],
  ['a line that is written over', '\rfalse', '\\rfalse'],
  ['a backspace', 'true\b\b\b\bfalse', 'true\\u{08}\\u{08}\\u{08}\\u{08}false'],
  ['eight-bit control characters', '\u009b2J\u009d0;x\u009c', '\\u{9b}2J\\u{9d}0;x\\u{9c}'],
  ['overrides of direction', '\u202eabc\u2066', '\\u{202e}abc\\u{2066}'],
  ['zero-width characters', 'a\u200bb', 'a\\u{200b}b'],
  ['lone surrogates', '\ud800', '\\u{d800}'],
])('shows %s', (_, text, shown) => {
  expect(show(text)).toBe(shown);
});

test('a message has no colours: they are those of what it quotes', () => {
  let written = '';
  guard({ isTTY: true, write: (part) => void (written += part) }).stderr.write('a\n\u001b[31mb');
  expect(written).toBe('a\n\\u{1b}[31mb');
});

test.each([
  [true, {}, true],
  [true, { TERM: 'dumb' }, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { FORCE_COLOR: '0' }, false],
  [false, {}, false],
  [false, { FORCE_COLOR: '1' }, true],
  [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
])('a terminal: %j, with %j, is coloured: %j', (isTTY, environment, isColored) => {
  expect(hasColor({ isTTY, write: () => true }, environment)).toBe(isColored);
});

test.each([
  [undefined, 80],
  [0, 80],
  [60, 60],
  [20, 40],
  [300, 120],
])('results for a terminal of %j columns are %i wide', (columns, width) => {
  /** @type {any} */
  const io = { stdout: { columns, write: () => true }, environment: {} };
  expect(terminalOf(io).width).toBe(width);
});

test('keeps the properties of the terminal', () => {
  const { isTTY, columns, rows } = guard({ isTTY: true, columns: 132, rows: 50 }).stderr;
  expect({ isTTY, columns, rows }).toEqual({ isTTY: true, columns: 132, rows: 50 });
});

test('what is no terminal has no status, and results in it are not changed', () => {
  let written = '';
  const { stdout, stderr } = guard({ write: (text) => void (written += text) });
  expect(stderr.showStatus).toBeUndefined();
  stdout.write('\u001b[2J');
  expect(written).toBe('\u001b[2J');
});

describe('a status', () => {
  test('is replaced by the next one, whatever their sizes', () => {
    const screen = openScreen();
    const { stderr } = guard(screen);
    stderr.write('a note\n');
    for (const lines of [['one', 'two', 'three'], ['1'], ['I', 'II'], ['i', 'ii']]) {
      stderr.showStatus?.(lines);
      expect(screen.read()).toBe(['a note', ...lines].join('\n'));
    }
    stderr.showStatus?.([]);
    expect(screen.read()).toBe('a note\n');
  });

  test.each(/** @type {const} */ (['stdout', 'stderr']))('is replaced by text on %s', (name) => {
    const screen = openScreen();
    const streams = guard(screen);
    streams.stderr.showStatus?.(['one', 'two']);
    streams[name].write('a report\n');
    expect(screen.read()).toBe('a report\n');
    streams.stderr.showStatus?.(['three']);
    expect(screen.read()).toBe('a report\nthree');
  });

  test('is erased after the terminal became narrower', () => {
    const screen = openScreen({ columns: 40 });
    const { stderr } = guard(screen);
    stderr.write('a note\n');
    stderr.showStatus?.(['x'.repeat(39), '\u001b[31my\u001b[0m', '']);
    // As a terminal that breaks the lines that no longer fit.
    screen.columns = 20;
    const reflowed = openScreen({ columns: 20 });
    reflowed.write(screen.read());
    screen.writes.length = 0;
    stderr.showStatus?.(['z']);
    for (const text of screen.writes) reflowed.write(text);
    expect(reflowed.read()).toBe('a note\nz');
  });

  test('stays after an interrupt, with later text below it', () => {
    const interrupts = new AbortController();
    const screen = openScreen();
    const { stdout, stderr } = guard(screen, interrupts.signal);
    stderr.showStatus?.(['one', 'two']);
    expect(stderr.wasStatusKept?.()).toBe(false);
    interrupts.abort();
    expect(stderr.wasStatusKept?.()).toBe(true);
    stderr.showStatus?.(['three']);
    stdout.write('interrupted\n');
    expect(screen.read()).toBe('one\ntwo\ninterrupted\n');
  });

  test('cannot contain control sequences from outside', () => {
    const screen = openScreen();
    guard(screen).stderr.showStatus?.(['\u001b[2J\r']);
    expect(screen.read()).toBe('\\u{1b}[2J\\r');
  });
});
