// Reads and replaces one condition of a search, such as `status:failed`. Pure.

/** The condition in the search; empty if the search has none. The first one counts. */
export function readCondition(query: string, about: string): string {
  const found = [...query.matchAll(partsOf(about))].map(([, value]) => value ?? "");
  return found.find((value) => value !== "") ?? "";
}

/** Replaces the condition in the search; an empty value removes it. Other conditions and texts are kept. */
export function withCondition(query: string, about: string, value: string): string {
  const others = query.replaceAll(partsOf(about), (part) => (part.startsWith('"') ? part : ""));
  const parts = [others.trim().replaceAll(/ {2,}/g, " "), ...(value === "" ? [] : [`${about}:${value}`])];
  return parts.filter((part) => part !== "").join(" ");
}

/** Quoted texts, in which nothing is a condition, and the condition. */
function partsOf(about: string): RegExp {
  return new RegExp(`"[^"]*"?|(?<=^|\\s)${about}:(\\S*)`, "gi");
}
