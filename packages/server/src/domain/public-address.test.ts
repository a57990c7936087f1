import { describe, expect, it } from "vitest";
import { isPublicAddress } from "./network-addresses.ts";

describe("isPublicAddress", () => {
  it.each([
    "8.8.8.8",
    "1.1.1.1",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.1",
    "168.63.129.15",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001:800::200e",
    "2001:200::1",
    "3ffe::1",
  ])("accepts %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ["this network", "0.0.0.0", "0.1.2.3"],
    ["private", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255"],
    ["carrier-grade NAT", "100.64.0.1", "100.127.255.255", "100.100.100.200"],
    ["loopback", "127.0.0.1", "127.255.255.254", "::1"],
    ["link-local, including metadata", "169.254.0.1", "169.254.169.254", "fe80::1", "fe80::1%eth0", "febf::1"],
    ["Azure's services", "168.63.129.16"],
    ["protocol assignments", "192.0.0.1", "192.0.0.192", "2001::1", "2001:1ff::1"],
    ["documentation", "192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
    ["benchmarks", "198.18.0.1", "198.19.255.255", "2001:2::1"],
    ["multicast", "224.0.0.1", "239.255.255.255", "ff02::1"],
    ["reserved and broadcast", "240.0.0.1", "255.255.255.255"],
    ["nobody's", "::"],
    ["IPv4 in IPv6", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8", "::127.0.0.1", "::ffff:0:127.0.0.1"],
    ["translated", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "192.88.99.1"],
    ["unique local, including metadata", "fc00::1", "fdff::1", "fd00:ec2::254"],
    ["site-local", "fec0::1"],
    ["segment routing", "5f00::1"],
    ["discard only", "100::1"],
    ["no address", "", "example.com", "127.1", "0x7f000001", "2130706433", "[::1]", "1.2.3.4.5"],
  ])("refuses addresses: %s", (_what, ...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });
});
