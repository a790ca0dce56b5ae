/** Methods of Node's Buffer that its types leave out. `toString` and `write` call them after looking up the encoding. */
interface Buffer {
  utf8Slice(start: number, end: number): string;
  utf8Write(text: string, offset: number): number;
}
