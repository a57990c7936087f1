/** An id as a path parameter. It stays a text: it may be larger than a JavaScript number can hold. */
export function idInPath(id: string): number {
  return id as unknown as number;
}
