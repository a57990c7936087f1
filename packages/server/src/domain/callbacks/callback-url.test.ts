import { describe, expect, it } from "vitest";
import type { CallbackReach } from "../policies.ts";
import { addressOf, findCallbackUrlFault } from "./rules.ts";

const codeOf = (url: string, reach: CallbackReach = "public") => findCallbackUrlFault(url, reach)?.code;

describe("findCallbackUrlFault", () => {
  it.each([
    "https://hooks.example.com/voice",
    "https://hooks.example.com:8443/voice?a=b",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]/",
    "https://localhost.example.com/",
    "https://notlocalhost/",
  ])("accepts %s", (url) => {
    expect(codeOf(url)).toBeUndefined();
    expect(codeOf(url, "private")).toBeUndefined();
  });

  it.each([
    "http://hooks.example.com/",
    "https://localhost/",
    "https://LOCALHOST:4800/",
    "https://localhost./",
    "https://api.localhost/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://①②⑦.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:169.254.169.254]/",
    "https://169.254.169.254/latest/meta-data/",
    "https://10.0.0.1/",
    "https://100.64.0.1/",
  ])("refuses %s unless the operator allows it", (url) => {
    expect(codeOf(url)).toBe("not_allowed");
    expect(codeOf(url, "private")).toBeUndefined();
  });

  it.each([
    "http://127.0.0.1:4811/",
    "http://127.8.9.10/",
    "http://localhost:4811/a",
    "http://api.localhost/",
    "http://[::1]:4811/",
    "http://[::ffff:127.0.0.1]/",
    "https://127.0.0.1/",
    "https://hooks.example.com/",
  ])("accepts %s in development", (url) => {
    expect(codeOf(url, "loopback")).toBeUndefined();
  });

  it.each([
    "http://hooks.example.com/",
    "http://8.8.8.8/",
    "http://10.0.0.1/",
    "https://192.168.1.2/",
    "https://[::ffff:10.0.0.1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://0.0.0.0/",
    "http://[::]/",
    "http://localhost.example.com/",
    "http://ada@localhost/",
  ])("refuses %s, even in development", (url) => {
    expect(codeOf(url, "loopback")).toBe("not_allowed");
  });

  it.each(["https://ada@hooks.example.com/", "https://ada:secret@hooks.example.com/", "ftp://hooks.example.com/"])(
    "never accepts %s",
    (url) => {
      expect([codeOf(url), codeOf(url, "private")]).toEqual(["not_allowed", "not_allowed"]);
    },
  );

  it.each(["", "hooks.example.com", "https://", "https://exa mple.com/", "https://[::1/", "https://1.2.3.256/"])(
    "reports that %j is not a URL",
    (url) => {
      expect(codeOf(url)).toBe("invalid_uri");
    },
  );

  it("never shows the password of a refused URL", () => {
    const fault = findCallbackUrlFault("https://ada:hunter2@hooks.example.com/", "public");
    expect(fault?.detail).not.toMatch(/ada|hunter2/);
  });
});

describe("addressOf", () => {
  it.each([
    ["[::1]", "::1"],
    ["127.0.0.1", "127.0.0.1"],
    ["example.com", undefined],
  ])("returns for the host name %s the address %s", (hostname, address) => {
    expect(addressOf(hostname)).toBe(address);
  });
});
