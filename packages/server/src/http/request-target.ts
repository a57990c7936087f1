// What a request asks for, and of whom (RFC 9112, 3.2; RFC 9110, 7.1). Everything behind reads paths from `url` and the
// host from `headers.host`, whichever form the request had.

import type { IncomingMessage } from "node:http";

const ABSOLUTE = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)/i;
/** A registered name or an address, and a port where it is not the scheme's own. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/**
 * The request's path and query: without the origin of an absolute URL, whose host takes the place of the Host header's,
 * and without a fragment, which is no server's business.
 */
export function readTarget({ url = "/", headers }: Pick<IncomingMessage, "url" | "headers">): string {
  const isPath = url.charCodeAt(0) === 0x2f;
  if (isPath && !url.includes("#")) return url;
  const [origin = "", scheme = "", authority = ""] = isPath ? [] : (ABSOLUTE.exec(url) ?? []);
  // a URL of another scheme is none of this server's, and no host
  if (origin !== "" && headers.host !== undefined) headers.host = /^https?$/i.test(scheme) ? authority : origin;
  const [target = ""] = url.slice(origin.length).split("#", 1);
  return target.startsWith("/") || origin === "" ? target : `/${target}`;
}

/** The last host that was found good: nearly every request has the same. */
let knownHost: string | undefined;

/** What is wrong with the host that a request names, in words; undefined where nothing is. */
export function findHostFault({ headers: { host }, httpVersion }: IncomingMessage): string | undefined {
  if (host === undefined) return httpVersion === "1.1" ? "The request has no Host header." : undefined;
  if (host === knownHost) return undefined;
  if (HOST.test(host)) {
    knownHost = host;
    return undefined;
  }
  return "The request names no host: expected a name or an address, and after a colon the port, such as 127.0.0.1:4800.";
}
