/** Root of all the service's paths. */
export const API_ROOT = "/api/v1/";

/**
 * Returns the encoded path and query of a request typed with or without /api/v1. Returns undefined if the text leads
 * anywhere else, in any notation: another host, `..`, `%2e%2e`.
 */
export function readApiPath(text: string, parameters: readonly (readonly [string, string])[]): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(text) || /[\\#\p{Cc}]/u.test(text)) return undefined;
  const relative = text.startsWith(API_ROOT) ? text.slice(API_ROOT.length) : text.replace(/^\//, "");
  // Encode a plus, which a query would read as a space: phone numbers begin with it.
  const [path = "", ...query] = relative.split("?");
  const url = new URL(API_ROOT + path, "http://service");
  if (url.origin !== "http://service" || !url.pathname.startsWith(API_ROOT) || url.pathname === API_ROOT)
    return undefined;
  const values = new URLSearchParams(query.join("?").replaceAll("+", "%2B"));
  for (const [name, value] of parameters) values.append(name, value);
  const search = values.toString().replaceAll("+", "%20");
  return search === "" ? url.pathname : `${url.pathname}?${search}`;
}
