import { describe, expect, it } from "vitest";
import { createIsWithin, findClientAddress, networkOf, parseAddress, parseNetworks } from "./network-addresses.ts";

it.each([
  ["192.0.2.1", "192.0.2.1"],
  ["203.0.113.9:40000", "203.0.113.9"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:c000:201", "192.0.2.1"],
  ["[::ffff:192.0.2.1]:80", "192.0.2.1"],
  ["2001:DB8:0:0:0::1", "2001:db8::1"],
  ["[2001:db8::1]:443", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1"],
  ["[fe80::1%25eth0]:443", "fe80::1"],
  ["", undefined],
  ["unknown", undefined],
  ["192.0.2.256", undefined],
  ["192.0.2.1:", undefined],
  ["192.0.2.1:http", undefined],
  ["[192.0.2.1", undefined],
  ["2001:db8::1:443:1:1:1:1:1:1", undefined],
])("parseAddress parses %j as %j", (text, address) => {
  expect(parseAddress(text)).toBe(address);
});

it.each([
  ["192.0.2.1", "192.0.2.1/32", "192.0.2.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:db8::1", "2001:db8::/64", "2001:db8::/48"],
  ["2001:db8:1::", "2001:db8:1::/64", "2001:db8:1::/48"],
  ["::1", "::/64", "::/48"],
  ["::", "::/64", "::/48"],
  ["::1.2.3.4", "::/64", "::/48"],
  ["fe80::1", "fe80::/64", "fe80::/48"],
])("networkOf returns for %s the network %s or, with a shorter prefix, %s", (address, counted, masked) => {
  const plain = parseAddress(address) ?? "";
  expect(networkOf(plain, { ipv4: 32, ipv6: 64 })).toBe(counted);
  expect(networkOf(plain, { ipv4: 24, ipv6: 48 })).toBe(masked);
});

it("only addresses and networks are accepted as proxies", () => {
  expect(parseNetworks("10.0.0.0/8, fd00::/8,192.0.2.7")).toEqual(["10.0.0.0/8", "fd00::/8", "192.0.2.7"]);
  for (const text of ["", "10.0.0.0/33", "fd00::/129", "::ffff:10.0.0.0/104", "proxy", "10.0.0.1:80", "10.0.0.0/8,"]) {
    expect(parseNetworks(text), text).toBeUndefined();
  }
});

describe("the client", () => {
  const isTrusted = createIsWithin(["10.0.0.0/8", "fd00::/8", "192.0.2.7"]);

  it.each([
    ["a peer that is not trusted, whatever it forwards", "8.8.8.8", "9.9.9.9", "8.8.8.8"],
    ["a trusted peer that forwards nothing", "10.0.0.1", undefined, "10.0.0.1"],
    ["the last address that a trusted peer forwards", "10.0.0.1", "1.1.1.1, 9.9.9.9", "9.9.9.9"],
    [
      "the last address before trusted ones, also with ports",
      "fd00::1",
      "1.1.1.1, 9.9.9.9:4000, 10.0.0.2:443",
      "9.9.9.9",
    ],
    ["an IPv6 address with a port", "192.0.2.7", "[2001:db8::1]:443", "2001:db8::1"],
    ["the first address if all are trusted", "10.0.0.1", "10.0.0.3,10.0.0.2", "10.0.0.3"],
    ["the proxy that forwards no address", "10.0.0.1", "9.9.9.9, unknown", "10.0.0.1"],
    ["the proxy that forwards an empty header", "10.0.0.1", "", "10.0.0.1"],
  ])("is %s", (_words, peer, forwarded, client) => {
    expect(findClientAddress(peer, forwarded, isTrusted)).toBe(client);
  });
});
