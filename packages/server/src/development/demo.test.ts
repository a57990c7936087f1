import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listTenants } from "../domain/tenancy/rows.ts";
import { createTenant, rotateCredential } from "../domain/tenancy/tenants.ts";
import { createAuthenticator } from "../http/credentials/authentication.ts";
import { systemClock } from "../platform/clock.ts";
import { type DataFolder, locateDataFolder } from "../platform/data-folder.ts";
import type { Store } from "../store/store.ts";
import { pepper, secrets } from "../testing/in-memory-service.ts";
import { openTestStore } from "../testing/test-store.ts";
import { prepareDemo } from "./demo.ts";

let store: Store;
let folder: DataFolder;
beforeEach(async () => {
  store = await openTestStore({ now: systemClock.now });
  folder = locateDataFolder(mkdtempSync(join(tmpdir(), "msgd-demo-")));
});
afterEach(async () => {
  await store.close();
  rmSync(folder.path, { recursive: true });
});

/** Starts the server. Returns its output, and the credential that it writes. */
async function start(now = systemClock.now()) {
  const { note, tenantId, announce } = await prepareDemo(store, { folder, pepper, secrets, now });
  announce("http://127.0.0.1:4800");
  const file = JSON.parse(readFileSync(folder.demoCredentialFile, "utf8"));
  expect(file.tenantId).toBe(String(tenantId));
  return { note, tenantId, file };
}

const tenants = async () => (await store.read(listTenants)).map(({ name }) => name);

async function callerOf({ apiKey, apiSecret }: { apiKey: string; apiSecret: string }) {
  const authenticate = createAuthenticator({ store, clock: systemClock, pepper });
  return authenticate({ "x-api-key": apiKey, "x-api-secret": apiSecret });
}

describe("the demo tenant", () => {
  it("is created silently at the first start, and kept at the next", async () => {
    const first = await start();
    const second = await start();
    expect([first.note, second.note]).toEqual([undefined, undefined]);
    expect(second.file).toEqual(first.file);
    expect(await tenants()).toEqual(["Demo"]);
  });

  it.each<[what: string, damage: () => void, words: string]>([
    ["is gone", () => rmSync(folder.demoCredentialFile), "was missing"],
    ["is empty", () => writeFileSync(folder.demoCredentialFile, ""), "was damaged"],
    ["is incomplete", () => writeFileSync(folder.demoCredentialFile, '{"apiKey": "mkt_te'), "was damaged"],
    ["is null", () => writeFileSync(folder.demoCredentialFile, "null"), "was damaged"],
    ["has no secret", () => writeFileSync(folder.demoCredentialFile, '{"apiKey":"k","tenantId":"1"}'), "was damaged"],
    [
      "has a wrong secret",
      () => writeFileSync(folder.demoCredentialFile, '{"apiKey":"k","apiSecret":"s","tenantId":"1"}'),
      "held no valid key of this database",
    ],
  ])("is kept, with a new key, if the file %s", async (_what, damage, words) => {
    const first = await start();
    damage();
    const second = await start();
    expect(second.tenantId).toBe(first.tenantId);
    expect(second.note).toContain(
      `${folder.demoCredentialFile} ${words}: tenant ${first.tenantId} (Demo) keeps its data`,
    );
    expect(second.file.apiKey).not.toBe(first.file.apiKey);
    expect(second.file.callbackSecret).toBe(first.file.callbackSecret);
    for (const { file } of [first, second]) expect(await callerOf(file)).toMatchObject({ tenantId: first.tenantId });
    expect(second.note).not.toContain(second.file.apiSecret);
    expect(await tenants()).toEqual(["Demo"]);
    expect((await start()).note).toBeUndefined();
  });

  it("is kept if its secret was rotated", async () => {
    const { tenantId, file } = await start();
    const now = systemClock.now();
    await store.write((tx) => rotateCredential(tx, { apiKey: file.apiKey, overlapMs: 0, pepper, now }));
    expect(await start(now + 1)).toMatchObject({ tenantId, note: expect.stringContaining("has a new key") });
  });

  it("is created again, with a note, if the file belongs to another database", async () => {
    writeFileSync(folder.demoCredentialFile, '{"apiKey":"k","apiSecret":"s","tenantId":"7"}');
    expect((await start()).note).toContain("held no valid key of this database: a new demo tenant was created");
  });

  it("is not confused with another tenant of the same name", async () => {
    const own = await store.write((tx) => createTenant(tx, { name: "Demo", timezone: "UTC", now: 0 }));
    const { tenantId, note } = await start();
    expect(tenantId).not.toBe(own.tenantId);
    expect(note).toBeUndefined();
  });
});
