import { describe, expect, it } from "vitest";
import { addressOf, findCallbackUrlFault } from "./callback-url.ts";

const codeOf = (url: string, allowPrivate = false) => findCallbackUrlFault(url, { allowPrivate })?.code;

describe("findCallbackUrlFault", () => {
  it.each([
    "https://hooks.example.com/voice",
    "https://hooks.example.com:8443/voice?a=b",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]/",
    "https://localhost.example.com/",
    "https://notlocalhost/",
  ])("takes %s", (url) => {
    expect(codeOf(url)).toBeUndefined();
    expect(codeOf(url, true)).toBeUndefined();
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
    expect(codeOf(url, true)).toBeUndefined();
  });

  it.each(["https://ada@hooks.example.com/", "https://ada:secret@hooks.example.com/", "ftp://hooks.example.com/"])(
    "never takes %s",
    (url) => {
      expect([codeOf(url), codeOf(url, true)]).toEqual(["not_allowed", "not_allowed"]);
    },
  );

  it.each(["", "hooks.example.com", "https://", "https://exa mple.com/", "https://[::1/", "https://1.2.3.256/"])(
    "says that %j is no URL",
    (url) => {
      expect(codeOf(url)).toBe("invalid_uri");
    },
  );

  it("never shows the password that it refuses", () => {
    const fault = findCallbackUrlFault("https://ada:hunter2@hooks.example.com/", { allowPrivate: false });
    expect(fault?.detail).not.toMatch(/ada|hunter2/);
  });
});

describe("addressOf", () => {
  it.each([
    ["[::1]", "::1"],
    ["127.0.0.1", "127.0.0.1"],
    ["example.com", undefined],
  ])("%s: %s", (hostname, address) => {
    expect(addressOf(hostname)).toBe(address);
  });
});
