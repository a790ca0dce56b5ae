/** The shapes of the bridge. Interfaces only. */

/** What a URL consists of, in the order in which Node 19 handed it over. */
export interface Parts {
  href: string;
  origin: string;
  protocol: string;
  hostname: string;
  pathname: string;
  search: string;
  username: string;
  password: string;
  port: string;
  hash: string;
}

/** The same without names: href, origin, protocol, hostname, pathname, search, username, password,
 * port, hash. */
export type PartList = [
  href: string,
  origin: string,
  protocol: string,
  hostname: string,
  pathname: string,
  search: string,
  username: string,
  password: string,
  port: string,
  hash: string,
];

/** Makes one value of ten strings. */
export type TakeParts<T> = (...parts: PartList) => T;

/** What `url-bridge.node` exports; its functions return undefined for an invalid URL. */
export interface Addon {
  /** Of the Ada that was compiled in. */
  adaVersion: string;
  /** Of the href that `parseToOffsets` returned last: where the protocol and the username end, the host
   * starts (with the @ before it) and ends, port, pathname, search and hash start, a missing part
   * being empty; then Ada's type of the scheme. */
  offsets: Uint32Array;
  parseToObject(input: string): Parts | undefined;
  parseToArray(input: string): PartList | undefined;
  parseToCallback<T>(input: string, takeParts: TakeParts<T>): T | undefined;
  parseToOffsets(input: string): string | undefined;
  parseToHref(input: string): string | undefined;
  /** Length of the href. */
  parseOnly(input: string): number | undefined;
  /** Bytes of the input as UTF-8. */
  crossOnly(input: string): number;
}

/** A URL as operations and the contract see it. */
export type UrlObject = Readonly<Parts>;

/** A class like the global `URL`. */
export type UrlClass = new (input: string) => UrlObject;

/** What operations and the contract need of a variant. Lower bounds have no `URL`. */
export interface BoundVariant<T = any> {
  URL?: UrlClass;
  /** The crossing alone: what comes back for a text before JavaScript makes anything of it. */
  cross(input: string): T | undefined;
  /** Length of the href in what `cross` gave. */
  takeHrefLength(answer: T): number;
}
