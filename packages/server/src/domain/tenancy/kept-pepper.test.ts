import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type DataFolder, openDataFolder } from "../../platform/data-folder.ts";
import type { Store } from "../../store/store.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { revokeCredential } from "./rows.ts";
import { readKeptPepper } from "./secrets.ts";
import { createTenant, issueCredential } from "./tenants.ts";

let folder: DataFolder;
let store: Store;
beforeEach(async () => {
  folder = openDataFolder(mkdtempSync(join(tmpdir(), "msgd-pepper-")));
  store = await openTestStore({ now: () => 0 });
});
afterEach(async () => {
  await store.close();
  rmSync(folder.path, { recursive: true });
});

const read = () => store.write((tx) => readKeptPepper(tx, folder));
const issue = (pepper: string) =>
  store.write(async (tx) => {
    const { tenantId } = await createTenant(tx, { name: "Acme", timezone: "UTC", now: 0 });
    return (await issueCredential(tx, { tenantId, merchantId: null, pepper, now: 0 })).apiKey;
  });
const another = "p".repeat(43);

it("a pepper is created once, and replaced only while no credential is hashed with it", async () => {
  const pepper = await read();
  expect(await read()).toBe(pepper);
  rmSync(folder.pepperFile);
  expect(await read()).not.toBe(pepper);
  writeFileSync(folder.pepperFile, another);
  expect(await read()).toBe(another);
});

it("a lost or wrong pepper causes an error until every key is revoked", async () => {
  const pepper = await read();
  const apiKey = await issue(pepper);
  rmSync(folder.pepperFile);
  await expect(read()).rejects.toThrow(`there is no ${folder.pepperFile}, and no credential works without the one`);
  expect(existsSync(folder.pepperFile)).toBe(false);
  writeFileSync(folder.pepperFile, another);
  await expect(read()).rejects.toThrow(`${folder.pepperFile} is another pepper, and no credential works without`);
  writeFileSync(folder.pepperFile, pepper);
  expect(await read()).toBe(pepper);
  await store.write((tx) => revokeCredential(tx, apiKey, 0));
  writeFileSync(folder.pepperFile, another);
  expect(await read()).toBe(another);
  await issue(another);
  writeFileSync(folder.pepperFile, pepper);
  await expect(read()).rejects.toThrow("is another pepper");
});

it("the pepper of a database without a check value is accepted", async () => {
  writeFileSync(folder.pepperFile, another);
  await issue(another);
  expect(await read()).toBe(another);
});
