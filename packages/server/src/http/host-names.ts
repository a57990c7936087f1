// Who a Host header says the server is. A page of any site can have its own name resolve to this machine and then read
// what is served without a credential (DNS rebinding); its browser still sends that name. An address cannot be rebound.

import { isIP } from "node:net";

/** The name or address of a Host header in lower case, without port and brackets. */
export function readHostName(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, "")
    .replace(/^\[(.*)\]$/, "$1");
}

/** Whether the name, as `readHostName` gives it, is that of this machine for itself. */
export function isLoopbackName(name: string): boolean {
  return name === "localhost" || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}

/** Whether the host is an address, this machine, or one of the names; they are in lower case. */
export function isKnownHost(host: string, names: ReadonlySet<string>): boolean {
  const name = readHostName(host);
  return isIP(name) !== 0 || isLoopbackName(name) || names.has(name);
}
