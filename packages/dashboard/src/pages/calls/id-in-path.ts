/** An id as it stands in an address: it may be more than a number of JavaScript holds, so that it stays a text. */
export function idInPath(id: string): number {
  return id as unknown as number;
}
