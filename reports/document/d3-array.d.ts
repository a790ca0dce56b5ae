/** The part of d3-array that reports use; the package has no types. */
declare module 'd3-array' {
  /** Neighbours: `[1, 2, 3]` gives `[[1, 2], [2, 3]]`. */
  export function pairs<Item>(items: Item[]): [Item, Item][];
  /** Whole numbers from `start` to below `stop`. */
  export function range(start: number, stop: number): number[];
  /** About `count` multiples of 1, 2 or 5 times a power of ten, within the bounds. */
  export function ticks(start: number, stop: number, count: number): number[];
}
