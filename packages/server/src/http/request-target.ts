// The target and host of a request (RFC 9112, 3.2; RFC 9110, 7.1). All later code reads the path from `url` and the
// host from `headers.host`, whichever form the request used.

import type { IncomingMessage } from "node:http";

const ABSOLUTE = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)/i;
/** A registered name or an address, with an optional port. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/**
 * Returns the request's path and query, without a fragment, and without the origin of an absolute URL, whose host
 * replaces the Host header's.
 */
export function readTarget({ url = "/", headers }: Pick<IncomingMessage, "url" | "headers">): string {
  const isPath = url.charCodeAt(0) === 0x2f;
  if (isPath && !url.includes("#")) return url;
  const [origin = "", scheme = "", authority = ""] = isPath ? [] : (ABSOLUTE.exec(url) ?? []);
  // a URL of another scheme is not this server's: make it an invalid host
  if (origin !== "" && headers.host !== undefined) headers.host = /^https?$/i.test(scheme) ? authority : origin;
  const [target = ""] = url.slice(origin.length).split("#", 1);
  return target.startsWith("/") || origin === "" ? target : `/${target}`;
}

/** The last valid host: nearly every request has the same. */
let knownHost: string | undefined;

/** Describes what is wrong with a request's host; undefined if it is valid. */
export function findHostFault({ headers: { host }, httpVersion }: IncomingMessage): string | undefined {
  if (host === undefined) return httpVersion === "1.1" ? "The request has no Host header." : undefined;
  if (host === knownHost) return undefined;
  if (HOST.test(host)) {
    knownHost = host;
    return undefined;
  }
  return "The request names no host: expected a name or an address, and after a colon the port, such as 127.0.0.1:4800.";
}
