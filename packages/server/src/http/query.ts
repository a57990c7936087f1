import { type ParsedUrlQuery, parse } from "node:querystring";

/** Half of a surrogate pair: no text that was decoded has it, and validation refuses it. */
const UNDECODABLE = "\udcff";

/** Reads a URL's query. A name or value whose escapes are no UTF-8 is told of as such, and neither dropped nor repaired. */
export function parseQuery(query: string): ParsedUrlQuery {
  // 0: the length of a request's head bounds how many there are
  return parse(query, "&", "=", { maxKeys: 0, decodeURIComponent: decodeStrictly });
}

function decodeStrictly(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return UNDECODABLE;
  }
}
