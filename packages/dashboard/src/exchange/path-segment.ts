/** Encodes a value as one segment of a path. The segments `.` and `..` are encoded too: a browser would resolve them. */
export function encodeSegment(value: string): string {
  return encodeURIComponent(value).replace(/^\.{1,2}$/, (dots) => dots.replaceAll(".", "%2E"));
}
