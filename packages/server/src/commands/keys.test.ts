import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../platform/clock.ts";
import { ConfigError } from "../settings/config.ts";
import { makeCommandEnvironment, type Printed } from "../testing/command-environment.ts";
import type { CommandEnvironment } from "./environment.ts";
import { runKeysList, runKeysRevoke, runKeysRotate } from "./keys.ts";
import { runCallbacksSecret } from "./secrets.ts";
import { runKeysCreate, runTenantsCreate } from "./tenants.ts";

const startMs = Date.UTC(2026, 0, 15, 12);
const json = { output: "json" } as const;
const text = { output: "text" } as const;

let data: string;
let nowMs: number;
let printed: Printed;
let environment: CommandEnvironment;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "msgd-keys-"));
  nowMs = startMs;
  ({ environment, printed } = makeCommandEnvironment(data, { ...systemClock, now: () => nowMs }));
});
afterEach(() => rmSync(data, { recursive: true }));

/** Runs a command and returns the JSON that it prints. */
async function resultOf<T>(command: Promise<void>): Promise<T> {
  Object.assign(printed, { out: "", err: "" });
  await command;
  return JSON.parse(printed.out) as T;
}

interface Key {
  apiKey: string;
  apiSecret: string;
}

async function createKey(merchant?: string): Promise<Key> {
  const flags = { ...json, tenant: "1", ...(merchant === undefined ? {} : { merchant }) };
  return resultOf<Key>(runKeysCreate(flags, environment));
}

const listKeys = (tenant?: string) =>
  resultOf<Record<string, unknown>[]>(runKeysList({ ...json, ...(tenant && { tenant }) }, environment));

describe("keys list", () => {
  it("shows owner, age, last use and state, but no secret", async () => {
    await runTenantsCreate("Acme", { ...json, timezone: "UTC" }, environment);
    const first = await createKey();
    nowMs += 1_000;
    const second = await createKey("default");
    expect(await listKeys()).toEqual([
      {
        apiKey: first.apiKey,
        tenantId: "1",
        merchantId: null,
        name: null,
        state: "ACTIVE",
        createdAt: "2026-01-15T12:00:00.000Z",
        lastUsedAt: null,
        overlapEndsAt: null,
        revokedAt: null,
      },
      expect.objectContaining({ apiKey: second.apiKey, merchantId: "default" }),
    ]);
    await runKeysList({ ...text, tenant: "1" }, environment);
    expect(printed.out).toContain(`${first.apiKey}  ACTIVE  tenant 1  created 2026-01-15T12:00:00.000Z  never used\n`);
    expect(printed.out).not.toMatch(/mks_/);
  });

  it("shows a key's name", async () => {
    await runTenantsCreate("Acme", { ...json, timezone: "UTC" }, environment);
    const { apiKey } = await resultOf<Key>(runKeysCreate({ ...json, tenant: "1", name: "nightly-7" }, environment));
    expect(await listKeys()).toMatchObject([{ apiKey, name: "nightly-7" }]);
    await runKeysList(text, environment);
    expect(printed.out).toContain(`${apiKey}  nightly-7  ACTIVE  tenant 1`);
  });

  it("says so if there are no keys", async () => {
    await runTenantsCreate("Acme", { ...json, timezone: "UTC" }, environment);
    expect(await listKeys("1")).toEqual([]);
    await runKeysList(text, environment);
    expect(printed.err).toBe("There is no key yet: create one with msgd keys create --tenant <id>\n");
  });
});

describe("keys rotate", () => {
  it("prints a new secret, and how long the previous one works", async () => {
    await runTenantsCreate("Acme", { ...json, timezone: "UTC" }, environment);
    const before = await createKey();
    const after = await resultOf<Key>(runKeysRotate(before.apiKey, { ...json, overlap: "24h" }, environment));
    expect(after.apiKey).toBe(before.apiKey);
    expect(after.apiSecret).not.toBe(before.apiSecret);
    expect(printed.err).toContain("works until 2026-01-16T12:00:00.000Z");
    expect(await listKeys()).toMatchObject([{ state: "ROTATING", overlapEndsAt: "2026-01-16T12:00:00.000Z" }]);
    nowMs += 24 * 3_600_000;
    expect(await listKeys()).toMatchObject([{ state: "ACTIVE", overlapEndsAt: null }]);
  });

  it.each(["", "1", "24", "1.5h", "-1h", "soon", "31d"])("refuses the overlap %j", async (overlap) => {
    await runTenantsCreate("Acme", { ...json, timezone: "UTC" }, environment);
    const { apiKey } = await createKey();
    await expect(runKeysRotate(apiKey, { ...json, overlap }, environment)).rejects.toThrow(`received "${overlap}"`);
  });
});

describe("keys revoke", () => {
  it("revokes the key, and may be repeated", async () => {
    await runTenantsCreate("Acme", { ...json, timezone: "UTC" }, environment);
    const { apiKey } = await createKey();
    const revoked = await resultOf(runKeysRevoke(apiKey, json, environment));
    nowMs += 60_000;
    expect(await resultOf(runKeysRevoke(apiKey, json, environment))).toEqual(revoked);
    expect(revoked).toMatchObject({ state: "REVOKED", revokedAt: "2026-01-15T12:00:00.000Z" });
    await expect(runKeysRotate(apiKey, { ...json, overlap: "0" }, environment)).rejects.toThrow("is revoked");
  });

  it("does not print a secret that was given in place of a key", async () => {
    await runTenantsCreate("Acme", { ...json, timezone: "UTC" }, environment);
    const { apiSecret } = await createKey();
    for (const wrong of [
      runKeysRevoke(apiSecret, json, environment),
      runKeysRotate(apiSecret, { ...json, overlap: "0" }, environment),
    ]) {
      const error = await wrong.then(
        () => undefined,
        (reason: Error) => reason,
      );
      expect(error).toBeInstanceOf(ConfigError);
      expect(error?.message).not.toContain(apiSecret);
    }
  });

  it("reports an unknown key", async () => {
    await runTenantsCreate("Acme", { ...json, timezone: "UTC" }, environment);
    const unknown = "mkt_test_0000000000000000000000";
    await expect(runKeysRevoke(unknown, json, environment)).rejects.toThrow("expected an API key");
  });
});

describe("callbacks secret", () => {
  it("creates a secret, prints the same one from then on, and replaces it at a rotation", async () => {
    await runTenantsCreate("Acme", { ...json, timezone: "UTC" }, environment);
    const flags = { ...json, tenant: "1", overlap: "24h" };
    const ask = (rotate = false) =>
      resultOf<{ callbackSecret: string }>(runCallbacksSecret({ ...flags, rotate }, environment));
    const { callbackSecret: first } = await ask();
    expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await ask()).callbackSecret).toBe(first);
    const { callbackSecret: second } = await ask(true);
    expect(printed.err).toContain("until 2026-01-16T12:00:00.000Z");
    expect(second).not.toBe(first);
    expect((await ask()).callbackSecret).toBe(second);
  });

  it("names the remedy if the key that sealed the secret is missing, and can still rotate the secret", async () => {
    await runTenantsCreate("Acme", { ...json, timezone: "UTC" }, environment);
    const flags = { ...json, tenant: "1", overlap: "24h" };
    const withKey = (letter: string) => ({
      ...environment,
      env: { ...environment.env, MSGD_SECRET_KEY: Buffer.alloc(32, letter).toString("base64") },
    });
    await runCallbacksSecret(flags, withKey("a"));
    await expect(runCallbacksSecret(flags, withKey("b"))).rejects.toThrow(
      /^a secret was sealed with key [0-9a-f]{8}, .*MSGD_SECRET_KEY: add it there, or .*msgd callbacks secret --rotate/,
    );
    const renewed = resultOf<{ callbackSecret: string }>(runCallbacksSecret({ ...flags, rotate: true }, withKey("b")));
    expect((await renewed).callbackSecret).toMatch(/^whsec_/);
    // callbacks are no longer signed with the previous secret
    expect(printed.err).not.toContain("until");
  });

  it("refuses an unknown tenant", async () => {
    await runTenantsCreate("Acme", { ...json, timezone: "UTC" }, environment);
    const asking = runCallbacksSecret({ ...json, tenant: "9", overlap: "24h" }, environment);
    await expect(asking).rejects.toThrow("there is no tenant 9");
  });
});
