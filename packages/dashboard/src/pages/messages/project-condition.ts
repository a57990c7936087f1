// The project's label in a search. Pure.

/** Quoted texts, in which nothing is a condition, and the condition. */
const PARTS = /"[^"]*"?|(?<=^|\s)project:(\S*)/gi;

/** The label in the search; empty for all. */
export function readProject(query: string): string {
  return [...query.matchAll(PARTS)].map(([, project]) => project ?? "").find((project) => project !== "") ?? "";
}

/** Replaces the label in the search; an empty one stands for all. */
export function withProject(query: string, project: string): string {
  const others = query.replaceAll(PARTS, (part) => (part.startsWith('"') ? part : ""));
  const parts = [...(project === "" ? [] : [`project:${project}`]), others.trim().replaceAll(/ {2,}/g, " ")];
  return parts.filter((part) => part !== "").join(" ");
}
