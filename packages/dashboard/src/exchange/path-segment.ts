/** Encodes a value as one segment of a path. A browser would resolve a segment of dots only. */
export function encodeSegment(value: string): string {
  return encodeURIComponent(value).replace(/^\.{1,2}$/, (dots) => dots.replaceAll(".", "%2E"));
}
