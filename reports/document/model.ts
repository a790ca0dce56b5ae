/**
 * The document model: content builds documents of these shapes; `terminal.js`, `markdown.js` and
 * `html.js` serialize them. Texts are plain: only the serializers escape. Interfaces only.
 */

import type { RatioInterval } from '../../harness/formats/types.ts';
import type { Markup } from './markup.js';

export type Format = 'terminal' | 'markdown' | 'html';

/** What a piece of text means; colour follows it, and only repeats what the words say. */
export type Tone = 'plain' | 'title' | 'quiet' | 'good' | 'bad' | 'doubtful';

/** Text within a line or a paragraph. */
export type Inline = string | Span | Inline[];

export type Span =
  /** A name, path, option or command, set as code. */
  | { code: string }
  | { strong: Inline }
  | { tone: Tone; text: Inline }
  /** A verdict: the shape of `sign` repeats what the colour of the tone says. */
  | { badge: { sign: string; tone: Tone; text: string } }
  /** Refers to notes by their numbers. */
  | { notes: number[] }
  /** Refers to a section or group of the same document by its id; plain text outside a page. */
  | { link: string; text: Inline }
  /** A place in source code, for which a page shows the directory too. */
  | { place: { file: string; line: number | null } }
  /** A file by its path relative to the run directory; a page beside it links to it. */
  | { file: string }
  /** Another page of the same site by its path relative to this one; plain text where there is no site. */
  | { page: string; text: Inline }
  | { lineBreak: true };

export interface Document {
  title: Inline;
  /** What kind of report it is, of what, from when. */
  eyebrow: string;
  /** Id by which a program finds its Markdown comment again. */
  marker?: string | undefined;
  sections: Section[];
  /** What a terminal prints in place of the sections, unless the whole is asked for: an answer that fits on a screen. */
  brief?: Section[] | undefined;
  footer: Inline;
  /** Where the rest is when a report had to be cut: `verdict.json in the run directory`. */
  source: string;
  /** Data that a program reads back from the page, between marks that make a script element. */
  embedded?: { start: string; end: string; data: unknown };
  /** Of a page of a site: where its navigation leads, in place of the sections. Paths are relative to the page. */
  pages?: { path: string; text: string; isHere?: boolean }[];
}

export interface Section {
  /** Kebab-case, unique in the document. */
  id: string;
  title: string;
  /** A section without blocks is left out. */
  blocks: Block[];
  /** Where Markdown is too long, the sections with the highest order go first; 0 where not given. */
  order?: number | undefined;
  /** Stands in for `blocks` in Markdown that would be too long with them. */
  short?: Block[] | undefined;
  /** Formats in which a reader has to unfold it; a terminal leaves out what is folded there. */
  folded?: Format[] | undefined;
  /** Formats in which its title is not printed. */
  untitled?: Format[] | undefined;
  /** Formats that have it; all where not given. */
  only?: Format[] | undefined;
}

export type Block = (
  Paragraph | Table | Facts | List | Notes | Command | Output | Figure | Figures | Group
) & {
  /** Formats that have it; all where not given. */
  only?: Format[] | undefined;
};

export interface Paragraph {
  kind: 'paragraph';
  text: Inline;
  /** `lead`: the sentence to take away. `remark`: what limits it. `quiet`: an aside. */
  role?: 'lead' | 'basis' | 'remark' | 'quiet' | undefined;
}

export interface Table {
  kind: 'table';
  /** Class on a page. */
  name?: string | undefined;
  caption?: Inline | undefined;
  /** What a screen reader calls the table; the caption where not given. */
  label?: string | undefined;
  columns: Column[];
  /** A table without rows is left out. */
  rows: Row[];
  /** Explains the columns, below the table. */
  legend?: Inline | undefined;
  /** Whether a terminal prints the legend right below the rows. */
  isDense?: boolean | undefined;
}

export interface Column {
  title: string;
  /** `left` where not given. */
  align?: 'left' | 'right' | undefined;
  /**
   * `name`: names the row; a terminal repeats it in each band and may shorten it. `group`: the same
   * in neighbouring rows; a terminal prints it as a heading above them. `prose`: sentences, broken
   * into lines; a terminal prints them below the row. `text`: sentences of which a terminal prints as much
   * as the line has room for. `plot`: a range on the log axis of the column.
   */
  kind?: 'name' | 'group' | 'prose' | 'text' | 'plot' | undefined;
  /** Of a `plot`: share, 0.03 is 3 %, marked on either side of 1. */
  minimumEffect?: number | undefined;
  /** A terminal that is too narrow leaves out the columns with the highest number. */
  spare?: number | undefined;
  /** Whether a page lets the reader sort by it. */
  sortable?: boolean | undefined;
  /** What it means, in a few words; a page shows it on hover. */
  hint?: string | undefined;
  /** Stands for the title on a page: the axis of drawings. */
  drawTitle?: () => Markup;
  only?: Format[] | undefined;
}

/** One cell per column. A terminal prints `group` as the heading, if given, instead of the `group` columns. */
export type Row = Cell[] | { group: Inline; cells: Cell[] };

/** `sort` is what the column is sorted by where the text would not do. */
export type Cell =
  | Inline
  | { value: Inline; sort?: number | string | null; tone?: Tone }
  | PlottedRange
  /** A drawing, of a column that only a page has. */
  | { draw: () => Markup };

/** A range on the axis of its column, and what it is compared with: a band with a mark in it. */
export interface PlottedRange {
  range: RatioInterval | undefined;
  tone?: Tone | undefined;
  expected?: RatioInterval | undefined;
}

/** Names with texts. A command can be copied. */
interface Facts {
  kind: 'facts';
  facts: Fact[];
}
export type Fact = [name: string, text: Inline | { command: string }];

interface List {
  kind: 'list';
  items: ListItem[];
}
/** With `items`, a list below the text. With `mark`, something that was checked. */
export type ListItem = Inline | { text: Inline; items: Inline[] } | { text: Inline; mark: Mark };
/** Right, worth knowing, or wrong. */
export type Mark = 'ok' | 'warning' | 'wrong';

/** Numbered remarks that spans and cells refer to. */
interface Notes {
  kind: 'notes';
  notes: { number: number; text: Inline }[];
}

interface Command {
  kind: 'command';
  /** `Repeat` */
  label: string;
  text: string;
}

/** Lines that a program printed, or source. */
interface Output {
  kind: 'output';
  text: string;
}

/** A drawing, which only a page has; `draw` is called by its serializer alone. */
export interface Figure {
  kind: 'figure';
  draw: () => Markup;
  caption?: Inline | undefined;
  /** `below` where not given. */
  captionSide?: 'above' | 'below' | undefined;
  /** Stands below a drawing that needs scripts, where these do not run. */
  fallback?: Table | undefined;
}

/** Drawings beside each other. */
interface Figures {
  kind: 'figures';
  /** Class on a page. */
  name?: string | undefined;
  figures: Figure[];
}

/** Blocks under a title. */
export interface Group {
  kind: 'group';
  title: Inline;
  /** Where given, the navigation and links can lead to it. */
  id?: string | undefined;
  blocks: Block[];
  /** As that of a section. */
  folded?: Format[] | undefined;
  /** Formats in which its title is not printed. */
  untitled?: Format[] | undefined;
  /** Class on a page. */
  name?: string | undefined;
}
