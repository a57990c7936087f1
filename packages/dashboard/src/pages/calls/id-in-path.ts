/** An id as a path parameter. It stays a string, as it may be too large for a JavaScript number. */
export function idInPath(id: string): number {
  return id as unknown as number;
}
