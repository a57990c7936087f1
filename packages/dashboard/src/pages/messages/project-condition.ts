// Reads and replaces the condition `project:` of a search.

/** Matches the condition `project:`, and also quoted texts, so that a condition inside quotation marks is skipped. */
const PARTS = /"[^"]*"?|(?<=^|\s)project:(\S*)/gi;

/** Returns the project in the search; empty for all projects. */
export function readProject(query: string): string {
  return [...query.matchAll(PARTS)].map(([, project]) => project ?? "").find((project) => project !== "") ?? "";
}

/** Replaces the project in the search. An empty one removes the condition. */
export function withProject(query: string, project: string): string {
  const others = query.replaceAll(PARTS, (part) => (part.startsWith('"') ? part : ""));
  const parts = [...(project === "" ? [] : [`project:${project}`]), others.trim().replaceAll(/ {2,}/g, " ")];
  return parts.filter((part) => part !== "").join(" ");
}
