/** Types of the bridge. */

/** The parts of a URL, in the order in which Node 19 passed them. */
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

/** Creates a value from ten strings. */
export type TakeParts<T> = (...parts: PartList) => T;

/** What `url-bridge.node` exports; its functions return undefined for an invalid URL. */
export interface Addon {
  /** Version of the compiled Ada. */
  adaVersion: string;
  /**
   * Offsets in the last href of `parseToOffsets`: end of protocol and username, start (with the @)
   * and end of the host, start of port, pathname, search and hash; a missing part is empty. Then
   * Ada's type of the scheme.
   */
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
  /** The crossing alone: the result of C++ for a text, before JavaScript processes it. */
  cross(input: string): T | undefined;
  /** Length of the href in the result of `cross`. */
  takeHrefLength(answer: T): number;
}
