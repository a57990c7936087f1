// Which addresses belong to the public internet. Everything else (this machine, its network, its cloud's services) is out
// of bounds for requests that a tenant has the server make. By the IANA special-purpose address registries.

import { BlockList, isIP } from "node:net";

const special4 = [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // carrier-grade NAT, where some clouds keep their metadata
  ["127.0.0.0", 8],
  ["168.63.129.16", 32], // Azure's own services, on a public-looking address
  ["169.254.0.0", 16], // link-local, and the metadata of most clouds
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24], // documentation, as 198.51.100 and 203.0.113
  ["192.88.99.0", 24], // 6to4 relays
  ["192.168.0.0", 16],
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, and broadcast
] as const;

/** All that IPv6 gives out publicly. It leaves out ::, ::1, mapped and translated IPv4, link-local, unique local, multicast. */
const global6 = ["2000::", 3] as const;

/** What is special within it; several carry an IPv4 address of anybody's choice. */
const special6 = [
  ["2001::", 23], // protocol assignments, Teredo among them
  ["2001:db8::", 32], // documentation, as 3fff
  ["2002::", 16], // 6to4
  ["3fff::", 20],
] as const;

const blocked = new BlockList();
for (const [network, prefix] of special4) blocked.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of special6) blocked.addSubnet(network, prefix, "ipv6");
const global = new BlockList();
global.addSubnet(...global6, "ipv6");

/** Whether the text is an IP address of the public internet. False for what is no address. */
export function isPublicAddress(address: string): boolean {
  // an address with a zone (fe80::1%eth0) is of a link by its nature, and `isIP` takes it for one
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
