// Credentials of the built msgctl: against a real msgd, by several processes at once, and through a kill.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, msgctlPath, runMsgctl } from "./msgctl-process.ts";
import { type Credential, MsgdFolder } from "./msgd-process.ts";

const folder = new MsgdFolder();
/** Everything that msgctl wrote, and what must be nowhere in it. */
const everything: string[] = [];
const secrets: string[] = [];
let baseUrl: string;

beforeAll(async () => {
  ({ baseUrl } = await folder.serve());
});
afterAll(() => folder.remove());

/** A home with a secret in a file, and no demo server in sight. */
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
  // a keychain is its owner's, not this test's
  const credential = ["--api-key", apiKey, "--api-secret-file", "secret.txt", "--store", "file"];
  return ["auth", "login", "--profile", profile, "--base-url", address, ...credential];
}

function stored(cwd: string, name: string) {
  return JSON.parse(readFileSync(join(cwd, ".config", "msgctl", name), "utf8"));
}

describe("with a credential of msgd keys create", () => {
  it("logs in, works, says what it uses, and is left with nothing after logout", async () => {
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

  it("lets a merchant's credential in, and keeps out one of another tenant's halves", async () => {
    const tenant = folder.createTenant("Bistro");
    const own = home(tenant);
    await msgctl(own, ...login(tenant, "bistro", baseUrl));
    const upsert = ["merchants", "upsert", "--merchant-id", "m1", "--display-name", "M"];
    expect((await msgctl(own, ...upsert)).exitCode).toBe(0);
    const merchant = folder.createKey(tenant.tenantId, "m1");
    expect((await msgctl(home(merchant), ...login(merchant, "m1", baseUrl))).exitCode).toBe(0);
    const mixed = await msgctl(home(merchant), ...login(tenant, "mixed", baseUrl), "-o", "json");
    expect([mixed.exitCode, JSON.parse(mixed.stderr).code]).toEqual([3, "credentials_invalid"]);
  });
});

describe("several processes", () => {
  it("that write at once lose nothing of each other's", async () => {
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

  it("that are killed while they write leave a file that is whole, and nobody waiting", async () => {
    const credential = folder.createTenant("Deli");
    const cwd = home(credential);
    const argv = (name: string) => [...login(credential, name, "https://k.example"), "--no-check"];
    expect((await msgctl(cwd, ...argv("first"))).exitCode).toBe(0);
    for (let round = 0; round < 12; round += 1) {
      const env = { PATH: process.env.PATH, HOME: cwd, USERPROFILE: cwd };
      const child = spawn(process.execPath, [msgctlPath, ...argv(`k${round}`)], { cwd, env, stdio: "ignore" });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      // anywhere from its start to its end: a run takes about 150 ms
      await sleep(60 + round * 10);
      child.kill("SIGKILL");
      await ended;
      const { first } = stored(cwd, "credentials.json");
      expect(first).toEqual({ apiKey: credential.apiKey, apiSecret: credential.apiSecret });
    }
    expect((await msgctl(cwd, ...argv("last"))).exitCode).toBe(0);
    expect(Object.keys(stored(cwd, "credentials.json"))).toEqual(expect.arrayContaining(["first", "last"]));
  });

  it("take over the lock of one that is gone", async () => {
    const credential = folder.createTenant("Eatery");
    const cwd = home(credential);
    const path = join(cwd, ".config", "msgctl");
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const gone = await new Promise<number | undefined>((resolve) => {
      const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
      child.once("exit", () => resolve(child.pid));
    });
    writeFileSync(join(path, "lock"), `${gone} killed ${hostname()}`);
    const logins = ["a", "b", "c"].map((name) =>
      msgctl(cwd, ...login(credential, name, "https://x.example"), "--no-check"),
    );
    expect((await Promise.all(logins)).map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(Object.keys(stored(cwd, "credentials.json")).sort()).toEqual(["a", "b", "c"]);
  });
});

it("has shown no secret anywhere", () => {
  expect(everything.length).toBeGreaterThan(30);
  for (const secret of secrets) expect(everything.filter((text) => text.includes(secret))).toEqual([]);
});
