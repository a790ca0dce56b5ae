import type { Question } from '../formats/types.ts';
import type { Io } from './cli.js';

/** One option of a command. `Value` is what a command gets for it. */
export interface OptionDeclaration<Value> extends OptionSettings {
  /** As commander takes them: `--budget <time>`, `--memory`. */
  readonly flags: string;
  readonly summary: string;
  /** Throws commander's `InvalidArgumentError`. Absent where an option takes no value. */
  readonly parse?: ((text: string) => Value) | undefined;
  /** Never set: carries the type of the value. */
  readonly value?: Value;
}

export interface OptionSettings {
  /** The words that it takes, for the help. */
  readonly choices?: readonly string[];
  /** As it would be typed. */
  readonly default?: string;
  /** Whether it may be given several times; its value is then a list. */
  readonly repeatable?: boolean;
  /** Whether it is left out of the command that repeats an invocation. */
  readonly transient?: boolean;
  /** What to type to get this question; undefined if the option is not needed. */
  readonly ofQuestion?: (question: Question) => string | readonly string[] | true | undefined;
  /** Whether the question has a more exact value than what was typed. */
  readonly settled?: boolean;
  /** Refuses all arguments, and all options but those that are named by attribute. */
  readonly alone?: { readonly but: readonly string[]; readonly because: string };
  /** Options that cannot be given beside it, by attribute name. */
  readonly conflicts?: readonly string[];
}

type Options = Readonly<Record<string, OptionDeclaration<any>>>;

type ValueOf<Option> = Option extends OptionDeclaration<infer Value> ? Value : never;
type KeysWithDefault<Declared> = {
  [Key in keyof Declared]: Declared[Key] extends { default: string } ? Key : never;
}[keyof Declared];

/** The values that a command gets: by attribute name, those with a default always. */
export type OptionValues<Declared extends Options> = {
  [Key in KeysWithDefault<Declared>]: ValueOf<Declared[Key]>;
} & {
  [Key in Exclude<keyof Declared, KeysWithDefault<Declared>>]?: ValueOf<Declared[Key]>;
};

/** One file of `commands/`. */
export interface CommandDeclaration {
  readonly summary: string;
  /** Arguments as commander takes them, `<name>`, `[name]` or `<names...>`, with their summaries. */
  readonly arguments?: readonly (readonly [string, string])[];
  readonly options?: Options;
  /** Printed below the options. */
  readonly notes?: string;
  /** Resolves with the exit status. */
  readonly run?: (args: any, options: any, io: Io, invocation: Invocation) => Promise<number>;
  /** By the word that follows the name of the command; the first is the default. */
  readonly subcommands?: Readonly<Record<string, CommandDeclaration>>;
}

/** A command as it was typed. */
export interface Invocation {
  /** `compare`, `corpora import` */
  readonly name: string;
  readonly options: Options;
  readonly args: readonly string[];
  /** What was typed for each option that was given, by attribute name; `true` without a value. */
  readonly texts: Readonly<Record<string, string | readonly string[] | true>>;
}
