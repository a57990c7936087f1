/** Everything of the service lies below it. */
export const API_ROOT = "/api/v1/";

/**
 * The path of a request with its query, encoded, from what was typed: with or without /api/v1. Undefined for one that
 * leads anywhere else, whatever it is written as: another host, `..`, `%2e%2e`.
 */
export function readApiPath(text: string, parameters: readonly (readonly [string, string])[]): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(text) || /[\\#\p{Cc}]/u.test(text)) return undefined;
  const relative = text.startsWith(API_ROOT) ? text.slice(API_ROOT.length) : text.replace(/^\//, "");
  // A plus stays one: phone numbers begin with it, and a query would read it as a space.
  const [path = "", ...query] = relative.split("?");
  const url = new URL(API_ROOT + path, "http://service");
  if (url.origin !== "http://service" || !url.pathname.startsWith(API_ROOT) || url.pathname === API_ROOT)
    return undefined;
  const values = new URLSearchParams(query.join("?").replaceAll("+", "%2B"));
  for (const [name, value] of parameters) values.append(name, value);
  const search = values.toString().replaceAll("+", "%20");
  return search === "" ? url.pathname : `${url.pathname}?${search}`;
}
