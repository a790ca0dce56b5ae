/** The part of d3-array that is used here; the package has no types. */
declare module 'd3-array' {
  /** Neighbours: `[1, 2, 3]` gives `[[1, 2], [2, 3]]`. */
  export function pairs<Item>(items: Item[]): [Item, Item][];
  /** Whole numbers from `start` to below `stop`. */
  export function range(start: number, stop: number): number[];
  /** About `count` multiples of 1, 2 or 5 times a power of ten, within the bounds. */
  export function ticks(start: number, stop: number, count: number): number[];
  /** Reorders the array so that the element at `index` is where sorting would put it. */
  export function quickselect(array: Float64Array, index: number): Float64Array;
  /** The items of each key, in their order. */
  export function group<Item, Key>(
    items: readonly Item[],
    keyOf: (item: Item) => Key,
  ): Map<Key, Item[]>;
  /** What is made of the items of each key. */
  export function rollup<Item, Key, Made>(
    items: Item[],
    make: (items: Item[]) => Made,
    keyOf: (item: Item) => Key,
  ): Map<Key, Made>;
  /** Undefined without items. */
  export function least<Item>(items: Item[], read: (item: Item) => number): Item | undefined;
  /** Undefined without items. */
  export function median<Item>(items: Item[], read: (item: Item) => number): number | undefined;
}
