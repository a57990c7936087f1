import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, runMsgctl } from "./msgctl-process.ts";
import { type Credential, MsgdFolder } from "./msgd-process.ts";

const folder = new MsgdFolder();
/** All output of msgctl, and the secrets that must not be in it. */
const everything: string[] = [];
const secrets: string[] = [];
let baseUrl: string;

beforeAll(async () => {
  ({ baseUrl } = await folder.serve());
});
afterAll(() => folder.remove());

/** Creates a home folder with a secret in a file, where msgctl finds no demo server. */
function home({ apiKey, apiSecret }: Credential): string {
  secrets.push(apiKey, apiSecret);
  const cwd = mkdtempSync(join(folder.parent, "home-"));
  writeFileSync(join(cwd, "secret.txt"), `${apiSecret}\n`, { mode: 0o600 });
  return cwd;
}

async function msgctl(cwd: string, ...args: string[]): Promise<Ended> {
  const ended = await runMsgctl(args, { cwd });
  everything.push(ended.stdout, ended.stderr);
  return ended;
}

function login({ apiKey }: Credential, profile: string, address: string): string[] {
  // stored in a file: this test must not change the developer's keychain
  const credential = ["--api-key", apiKey, "--api-secret-file", "secret.txt", "--store", "file"];
  return ["auth", "login", "--profile", profile, "--base-url", address, ...credential];
}

function stored(cwd: string, name: string) {
  return JSON.parse(readFileSync(join(cwd, ".config", "msgctl", name), "utf8"));
}

describe("msgctl with a credential of msgd keys create", () => {
  it("logs in, works, shows its source, and leaves nothing after logout", async () => {
    const credential = folder.createTenant();
    const cwd = home(credential);
    expect(await msgctl(cwd, ...login(credential, "acme", baseUrl))).toMatchObject({ exitCode: 0 });
    expect(await msgctl(cwd, "merchants", "list")).toMatchObject({ exitCode: 0, stderr: "" });
    const status = await msgctl(cwd, "auth", "status", "-o", "json");
    expect(JSON.parse(status.stdout)).toMatchObject({ profile: "acme", source: "profile", baseUrl, accepted: true });
    if (process.platform !== "win32") {
      const modes = ["", "credentials.json"].map((name) => statSync(join(cwd, ".config/msgctl", name)).mode & 0o777);
      expect(modes).toEqual([0o700, 0o600]);
    }
    expect((await msgctl(cwd, "auth", "logout")).exitCode).toBe(0);
    const after = await msgctl(cwd, "merchants", "list", "-o", "json");
    expect([after.exitCode, JSON.parse(after.stderr).code]).toEqual([3, "credentials_missing"]);
  });
});

describe("several msgctl processes", () => {
  it("keep each other's changes if they write at the same time", async () => {
    const credential = folder.createTenant("Cafe");
    const cwd = home(credential);
    const names = Array.from({ length: 8 }, (_, index) => `p${index}`);
    const logins = names.map((name) =>
      msgctl(cwd, ...login(credential, name, `https://${name}.example`), "--no-check"),
    );
    expect((await Promise.all(logins)).map(({ exitCode }) => exitCode)).toEqual(names.map(() => 0));
    expect(Object.keys(stored(cwd, "credentials.json")).sort()).toEqual(names);
    const { profiles } = stored(cwd, "config.json");
    for (const name of names) expect(profiles[name]).toEqual({ baseUrl: `https://${name}.example`, store: "file" });
  });
});

it("no output contains a secret", () => {
  expect(everything.length).toBeGreaterThan(20);
  for (const secret of secrets) expect(everything.filter((text) => text.includes(secret))).toEqual([]);
});
