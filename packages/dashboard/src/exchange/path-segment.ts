/** Encodes a value as one segment of a path. Dots are encoded too: a browser would resolve a segment of only dots. */
export function encodeSegment(value: string): string {
  return encodeURIComponent(value).replace(/^\.{1,2}$/, (dots) => dots.replaceAll(".", "%2E"));
}
