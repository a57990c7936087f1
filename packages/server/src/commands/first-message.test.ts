import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigError } from "../settings/config.ts";
import { findInstallation } from "./database.ts";
import { describeFirstMessage, findAddress, findPublicUrl, noteAddress } from "./first-message.ts";

const credential = { apiKey: "mkt_test_a", apiSecret: "sec", tenantId: 1, merchantId: null };

describe("the first message", () => {
  // test/e2e/first-message.test.ts runs these commands
  it("is sent for the merchant of a merchant's key", () => {
    const text = describeFirstMessage({ ...credential, merchantId: "o'hara" }, "http://127.0.0.1:4800", "linux");
    expect(text).not.toContain("merchants upsert");
    expect(text).toContain(`npx msgctl send sms --merchant-id 'o'\\''hara' --to +12025550100`);
  });

  it("is shown in PowerShell's syntax on Windows", () => {
    const text = describeFirstMessage(credential, "http://127.0.0.1:4800", "win32");
    expect(text).toContain('$env:MSGCTL_BASE_URL="http://127.0.0.1:4800"; $env:MSGCTL_API_KEY="mkt_test_a"; $env:');
    expect(text).not.toContain("export");
  });
});

describe("the address of a folder's server", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "msgd-address-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    ["http://127.0.0.1:4811\n\n\n", {}, "http://127.0.0.1:4811"],
    ["http://0.0.0.0:80\n\nhttps://msg.example.com\n", {}, "http://127.0.0.1"],
    ["http://[::]:4811\n\n\n", {}, "http://[::1]:4811"],
    ["cut off", {}, "http://127.0.0.1:4800"],
    [undefined, {}, "http://127.0.0.1:4800"],
    [undefined, { MSGD_HOST: "0.0.0.0", MSGD_PORT: "4900" }, "http://127.0.0.1:4900"],
  ])("with %j stored and %j set is %s", (noted, env, expected) => {
    if (noted !== undefined) writeFileSync(join(folder, "address"), noted);
    expect(findAddress(findInstallation({ data: folder }, {}), env)).toBe(expected);
  });

  it("ignores a server on another database", () => {
    const own = findInstallation({ data: folder }, {});
    const onServer = (name: string) =>
      findInstallation({ data: folder }, { DATABASE_URL: `postgres://m:p@db/${name}` });
    noteAddress(own, { baseUrl: "http://127.0.0.1:4811" });
    expect(findAddress(onServer("one"), {})).toBeUndefined();
    expect(findAddress(onServer("one"), { MSGD_PORT: "4900" })).toBe("http://127.0.0.1:4900");
    noteAddress(onServer("one"), { baseUrl: "http://127.0.0.1:4812" });
    expect([findAddress(onServer("one"), {}), findAddress(onServer("two"), {}), findAddress(own, {})]).toEqual([
      "http://127.0.0.1:4812",
      undefined,
      "http://127.0.0.1:4800",
    ]);
    expect(readFileSync(join(folder, "address"), "utf8")).not.toContain(":p@");
  });

  it("includes a public URL, from the variable or else from what the server stored", () => {
    const own = findInstallation({ data: folder }, {});
    expect(findPublicUrl(own, {})).toBeUndefined();
    noteAddress(own, { baseUrl: "http://127.0.0.1:4811", publicUrl: "https://msg.example.com" });
    expect(findPublicUrl(own, {})).toBe("https://msg.example.com");
    expect(findPublicUrl(own, { MSGD_PUBLIC_URL: "https://other.example.com/" })).toBe("https://other.example.com");
    expect(() => findPublicUrl(own, { MSGD_PUBLIC_URL: "http://other.example.com" })).toThrow(ConfigError);
    const onServer = findInstallation({ data: folder }, { DATABASE_URL: "postgres://m:p@db/one" });
    expect(findPublicUrl(onServer, {})).toBeUndefined();
  });
});
