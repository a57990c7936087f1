/** Parses a list of texts stored in one column. */
export function readTextList(json: string): string[] {
  return JSON.parse(json) as string[];
}
