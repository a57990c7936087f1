/** Finds the proxy for an address from the usual environment variables. */
import { BlockList, isIP } from "node:net";
import { CliError } from "../../failures/errors.ts";
import { isLoopback } from "../../flags/base-url.ts";
import type { NamedProxy, ProxyVariables } from "../../process/config.ts";
import { EXIT } from "../../process/exit-codes.ts";

/** Returns the proxy for `address`; undefined if there is none. Loopback addresses never use a proxy. */
export function findProxy(proxies: ProxyVariables | undefined, address: string): NamedProxy | undefined {
  if (proxies === undefined || isLoopback(address)) return undefined;
  const url = new URL(address);
  const proxy = (url.protocol === "https:" ? proxies.https : proxies.http) ?? proxies.all;
  return proxy === undefined || isExempt(url, proxies.none) ? undefined : proxy;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** Reads NO_PROXY as curl does: `*`, a domain with its subdomains and optionally a port, an IP address, or a CIDR range. */
function isExempt({ hostname, port, protocol }: URL, none: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  const usedPort = port || DEFAULT_PORTS[protocol];
  return none
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === "*" || isInRange(host, entry)) return true;
      const [, name = "", wantedPort = usedPort] =
        /^\[?(.*?)\]?(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
      const suffix = name.replace(/^\*?\./, "");
      return suffix !== "" && wantedPort === usedPort && (host === suffix || host.endsWith(`.${suffix}`));
    });
}

const FAMILIES = { 4: "ipv4", 6: "ipv6" } as const;

function isInRange(host: string, entry: string): boolean {
  const [, network = "", bits = ""] = /^(.+)\/(\d{1,3})$/.exec(entry) ?? [];
  const [hostKind, kind] = [isIP(host), isIP(network)];
  if (kind === 0 || kind !== hostKind || Number(bits) > (kind === 4 ? 32 : 128)) return false;
  const range = new BlockList();
  const family = FAMILIES[kind as 4 | 6];
  range.addSubnet(network, Number(bits), family);
  return range.check(host, family);
}

/** Parses the URL of a proxy, with user name and password. @throws {CliError} If it cannot be used. */
export function readProxyUrl({ variable, text }: NamedProxy): URL {
  const whole = text.includes("://") ? text : `http://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url?.hostname && /^https?:$/.test(url.protocol)) return url;
  // the URL is not quoted: it may contain a password
  const isSocks = url?.protocol.startsWith("socks") === true;
  const found = isSocks ? `a SOCKS proxy (${url?.protocol}//), which msgctl does not support` : "not a proxy address";
  throw new CliError(EXIT.usage, "proxy_unusable", `${variable} names ${found}; nothing was sent`, {
    hints: [
      `Set ${isSocks ? "HTTPS_PROXY" : variable} to an HTTP proxy, such as http://proxy.example.com:3128, or name the service's host in NO_PROXY to go without one.`,
    ],
  });
}

/** Formats a proxy's URL without its user name and password. */
export function showProxy(proxy: NamedProxy): string {
  const { protocol, host } = readProxyUrl(proxy);
  return `${protocol}//${host}`;
}
