// Parses IP addresses and networks, finds the client's address behind proxies, and recognizes public addresses.

import { BlockList, isIP, SocketAddress } from "node:net";

/** `[2001:db8::1]:443`, `[2001:db8::1]` or `203.0.113.9:40000`: proxies of Azure and IIS add the port. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5})$/;

/** Returns an address in canonical form: without port, brackets or zone, mapped IPv4 as IPv4. Undefined for other text. */
export function parseAddress(text: string): string | undefined {
  const [, bracketed, numbered] = WITH_PORT.exec(text) ?? [];
  const plain = (bracketed ?? numbered ?? text).replace(/%.*$/, "");
  const family = isIP(plain);
  if (family !== 6) return family === 4 ? plain : undefined;
  return canonical6(plain).replace(/^::ffff:(?=\d+\.)/, "");
}

function canonical6(address: string): string {
  return new SocketAddress({ address, family: "ipv6" }).address;
}

export interface Prefixes {
  /** Prefix length in bits, a multiple of 8. */
  readonly ipv4: number;
  /** Prefix length in bits, a multiple of 16. */
  readonly ipv6: number;
}

/** Returns the network of an address in canonical form, such as `203.0.113.0/24`. */
export function networkOf(address: string, { ipv4, ipv6 }: Prefixes): string {
  if (isIP(address) === 4) {
    const kept = address.split(".").slice(0, ipv4 / 8);
    return `${[...kept, 0, 0, 0, 0].slice(0, 4).join(".")}/${ipv4}`;
  }
  const [before = "", after = ""] = address.split("::");
  const [head, tail] = [before, after].map((half) => (half === "" ? [] : half.split(":"))) as [string[], string[]];
  const groups = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => "0"), ...tail];
  return `${canonical6(`${groups.slice(0, ipv6 / 16).join(":")}::`)}/${ipv6}`;
}

/** Splits a list such as `10.0.0.0/8,fd00::/8,192.0.2.7`; undefined unless each part is an address or a network. */
export function parseNetworks(text: string): readonly string[] | undefined {
  const parts = text.split(",").map((part) => part.trim());
  return parts.every((part) => readNetwork(part) !== undefined) ? parts : undefined;
}

interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: "ipv4" | "ipv6";
}

function readNetwork(text: string): Network | undefined {
  const [, written = "", prefix] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const address = WITH_PORT.test(written) ? undefined : parseAddress(written);
  if (address === undefined) return undefined;
  const [family, longest] = isIP(address) === 4 ? (["ipv4", 32] as const) : (["ipv6", 128] as const);
  const length = prefix === undefined ? longest : Number(prefix);
  return length <= longest ? { address, prefix: length, family } : undefined;
}

/** Returns whether an address in canonical form is in one of the networks. */
export type IsWithin = (address: string) => boolean;

/** @param networks as `parseNetworks` returns them */
export function createIsWithin(networks: readonly string[]): IsWithin {
  const list = new BlockList();
  for (const text of networks) {
    const network = readNetwork(text);
    if (network === undefined) throw new Error(`"${text}" is not a network`);
    list.addSubnet(network.address, network.prefix, network.family);
  }
  return (address) => list.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

/**
 * Returns the right-most address in the chain that is not a trusted proxy's, in canonical form. Each proxy appends the
 * address of its peer, so the client may have forged anything further left.
 *
 * @param peer the address at the other end of the connection, in canonical form
 * @param forwarded the value of X-Forwarded-For
 */
export function findClientAddress(peer: string, forwarded: string | undefined, isTrusted: IsWithin): string {
  const hops = forwarded?.split(",") ?? [];
  let client = peer;
  while (isTrusted(client)) {
    const hop = parseAddress(hops.pop()?.trim() ?? "");
    // the chain ends, or a proxy did not know its peer's address
    if (hop === undefined) break;
    client = hop;
  }
  return client;
}

/** Networks outside the public internet, by the IANA special-purpose address registries and the documentation of clouds. */
const special4 = [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // carrier-grade NAT, where some clouds keep their metadata
  ["127.0.0.0", 8],
  ["168.63.129.16", 32], // Azure platform services, in a public range
  ["169.254.0.0", 16], // link-local, and the metadata of most clouds
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24], // documentation, like 198.51.100.0/24 and 203.0.113.0/24
  ["192.88.99.0", 24], // 6to4 relays
  ["192.168.0.0", 16],
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, and broadcast
] as const;

/** Global unicast of IPv6. Outside it are ::, ::1, mapped and translated IPv4, link-local, unique local and multicast. */
const global6 = ["2000::", 3] as const;

/** Special networks within `global6`. In several an attacker can embed any IPv4 address. */
const special6 = [
  ["2001::", 23], // protocol assignments, Teredo among them
  ["2001:db8::", 32], // documentation, like 3fff::/20
  ["2002::", 16], // 6to4
  ["3fff::", 20],
] as const;

const blocked = new BlockList();
for (const [network, prefix] of special4) blocked.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of special6) blocked.addSubnet(network, prefix, "ipv6");
const global = new BlockList();
global.addSubnet(...global6, "ipv6");

/**
 * Returns whether the text is an IP address of the public internet. The server calls no other addresses on behalf of
 * tenants.
 */
export function isPublicAddress(address: string): boolean {
  // `isIP` accepts an address with a zone (fe80::1%eth0), but such an address is always link-local
  if (address.includes("%")) return false;
  switch (isIP(address)) {
    case 4:
      return !blocked.check(address, "ipv4");
    case 6:
      return global.check(address, "ipv6") && !blocked.check(address, "ipv6");
    default:
      return false;
  }
}
