import { type ParsedUrlQuery, parse } from "node:querystring";

/** Half of a surrogate pair: never the result of decoding, and refused by validation. */
const UNDECODABLE = "\udcff";
/** One is enough to refuse the request, and each takes 10 µs to find: thousands fit into a query. */
const MOST_UNDECODABLE = 10;

/**
 * Parses a URL's query. A name or value whose escapes are not UTF-8 is marked for refusal, not dropped or repaired;
 * after ten of them the rest is left undecoded.
 */
export function parseQuery(query: string): ParsedUrlQuery {
  let undecodable = 0;

  function decodeStrictly(text: string): string {
    if (undecodable === MOST_UNDECODABLE) return text;
    try {
      return decodeURIComponent(text);
    } catch {
      undecodable += 1;
      return UNDECODABLE;
    }
  }

  // 0 means unlimited: the size of a request's head already limits the number of keys
  return parse(query, "&", "=", { maxKeys: 0, decodeURIComponent: decodeStrictly });
}
