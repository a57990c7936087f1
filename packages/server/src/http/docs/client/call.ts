// The form's values as a request. Pure, so that it is tested without a browser.

import { encodeSegment } from "@msgctl/dashboard/exchange/path-segment";

export interface Form {
  readonly method: string;
  /** With `{placeholders}`. */
  readonly path: string;
  /** The media type of the reply; empty where it has none. */
  readonly accept: string;
  /** By input name: `apiKey`, `apiSecret`, `scheme`, `body`, and others such as `path:merchantId`. */
  readonly values: ReadonlyMap<string, string>;
}

export interface Call {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Optional values that are empty are left out. */
export function toCall({ method, path, accept, values }: Form): Call {
  const given = (place: string) =>
    [...values]
      .filter(([name, value]) => name.startsWith(`${place}:`) && value !== "")
      .map(([name, value]): [string, string] => [name.slice(place.length + 1), value]);
  const target = given("path").reduce(
    (text, [name, value]) => text.replace(`{${name}}`, () => encodeSegment(value)),
    path,
  );
  const query = new URLSearchParams(given("query")).toString();
  const body = values.get("body");
  return {
    url: query === "" ? target : `${target}?${query}`,
    method,
    headers: {
      ...(accept === "" ? {} : { Accept: `${accept}, application/problem+json` }),
      ...credential(values),
      ...Object.fromEntries(given("header")),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body }),
  };
}

function credential(values: ReadonlyMap<string, string>): Record<string, string> {
  const key = values.get("apiKey") ?? "";
  const secret = values.get("apiSecret") ?? "";
  if (values.get("scheme") === "basic") return { Authorization: `Basic ${base64(`${key}:${secret}`)}` };
  return { ...(key === "" ? {} : { "X-API-KEY": key }), ...(secret === "" ? {} : { "X-API-SECRET": secret }) };
}

/** Encodes the text's UTF-8, as in RFC 7617. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
