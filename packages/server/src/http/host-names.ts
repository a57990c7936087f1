// Checks the host names of Host headers, against DNS rebinding: a web page can make its own host name resolve to this machine,
// and then read everything that needs no credential. The browser still sends the page's host name, so unknown names are
// refused. IP addresses are accepted: they cannot be rebound.

import { isIP } from "node:net";

/** Returns the name or address of a Host header in lower case, without port and brackets. */
export function readHostName(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, "")
    .replace(/^\[(.*)\]$/, "$1");
}

/** Returns whether a name returned by `readHostName` is a loopback name or address. */
export function isLoopbackName(name: string): boolean {
  return name === "localhost" || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}

/** Returns whether the host is an address, a loopback name, or one of `names`, which are in lower case. */
export function isKnownHost(host: string, names: ReadonlySet<string>): boolean {
  const name = readHostName(host);
  return isIP(name) !== 0 || isLoopbackName(name) || names.has(name);
}
