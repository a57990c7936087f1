/** A list of texts, as one column keeps it. */
export function readTextList(json: string): string[] {
  return JSON.parse(json) as string[];
}
