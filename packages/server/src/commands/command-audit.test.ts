import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createRecipientDigest } from "../domain/contacts.ts";
import { listAuditEntries, listAuditEntriesAbout } from "../domain/tenancy/rows.ts";
import { systemClock } from "../platform/clock.ts";
import { readPepper } from "../platform/data-folder.ts";
import type { Transaction } from "../store/store.ts";
import { makeCommandEnvironment, type Printed } from "../testing/command-environment.ts";
import { findInstallation } from "./database.ts";
import type { CommandEnvironment } from "./environment.ts";
import { runKeysRevoke, runKeysRotate } from "./keys.ts";
import { runRecipientsErase, runRecipientsExport, runRecipientsShow } from "./recipients.ts";
import { runKeysCreate, runTenantsCreate } from "./tenants.ts";
import { runUsersCreate, runUsersDisable, runUsersReset } from "./users.ts";

const json = { output: "json", tenant: "1" } as const;
const CONTACT = "+12025550150";

let parent: string;
let printed: Printed;
let environment: CommandEnvironment;
beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), "msgd-audit-"));
  ({ environment, printed } = makeCommandEnvironment(join(parent, "data"), systemClock));
  environment = { ...environment, env: { ...environment.env, SUDO_USER: "ann", USER: "root" } };
  await runTenantsCreate("Acme", { ...json, timezone: "UTC" }, environment);
});
afterEach(() => rmSync(parent, { recursive: true }));

async function read<T>(work: (tx: Transaction, pepper: string) => Promise<T>): Promise<T> {
  const { database, folder } = findInstallation({}, environment.env);
  const store = await environment.openStore(database);
  try {
    return await store.read((tx) => work(tx, readPepper(folder)));
  } finally {
    await store.close();
  }
}

const all = { tenantId: 1, before: 1e9, limit: 100 };

it("the audit shows operations on a tenant, its users and keys, with the operator", async () => {
  await runUsersCreate({ ...json, role: "agent", email: "bob@example.com" }, environment);
  await runUsersReset("bob@example.com", json, environment);
  await runUsersDisable("bob@example.com", json, environment);
  printed.out = "";
  await runKeysCreate(json, environment);
  const { apiKey, apiSecret } = JSON.parse(printed.out);
  await runKeysRotate(apiKey, { ...json, overlap: "1h" }, environment);
  await runKeysRevoke(apiKey, json, environment);
  const entries = await read((tx) => listAuditEntries(tx, all));
  expect(entries.reverse().map(({ email, operation, target }) => [email, operation, target])).toEqual([
    ["operator (ann)", "tenants create", "name Acme, live, UTC"],
    ["operator (ann)", "users create", "email bob@example.com, role agent"],
    ["operator (ann)", "users reset", "userId 1, bob@example.com"],
    ["operator (ann)", "users disable", "userId 1, bob@example.com"],
    ["operator (ann)", "keys create", `apiKey ${apiKey}`],
    ["operator (ann)", "keys rotate", `apiKey ${apiKey}`],
    ["operator (ann)", "keys revoke", `apiKey ${apiKey}`],
  ]);
  expect(JSON.stringify(entries)).not.toContain(apiSecret);
});

it("the audit finds operations on a recipient, without showing the number", async () => {
  await runRecipientsShow(CONTACT, json, environment);
  await runRecipientsExport(CONTACT, json, environment);
  await runRecipientsErase(CONTACT, { ...json, yes: true }, environment);
  const entries = await read((tx, pepper) =>
    listAuditEntriesAbout(tx, { ...all, subject: createRecipientDigest(pepper)(1, CONTACT) }),
  );
  expect(entries.reverse().map(({ operation, target }) => [operation, target])).toEqual([
    ["recipients show", "+1202•••50"],
    ["recipients export", "+1202•••50"],
    ["recipients erase", "+1202•••50"],
  ]);
});
