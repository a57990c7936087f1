// Creates a data folder with messages, left by a server that has ended, for tests of commands that read messages.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandEnvironment } from "../commands/environment.ts";
import { createTenant, issueCredential } from "../domain/tenancy/tenants.ts";
import { systemClock } from "../platform/clock.ts";
import { openService } from "../service.ts";
import { makeCommandEnvironment, type Printed } from "./command-environment.ts";

const pepper = "p".repeat(43);

export interface SentFolder {
  readonly path: string;
  readonly environment: CommandEnvironment;
  readonly printed: Printed;
  /** Ids of the messages, in their order. */
  readonly ids: readonly string[];
  remove(): void;
}

/**
 * Sends the texts for merchant m1 of tenant 1 to a recipient who opts in before and out afterwards. Tenant 2 has no
 * messages.
 */
export async function makeSentFolder(texts: readonly string[], to = "+12025550100"): Promise<SentFolder> {
  const path = mkdtempSync(join(tmpdir(), "msgd-sent-"));
  writeFileSync(join(path, "pepper"), pepper);
  const ids = await sendAll(path, texts, to);
  return { path, ids, ...makeCommandEnvironment(path), remove: () => rmSync(path, { recursive: true }) };
}

async function sendAll(path: string, texts: readonly string[], to: string): Promise<string[]> {
  const service = await openService({
    database: { file: join(path, "msgd.db") },
    simulator: { file: ":memory:" },
    pepper,
    consentPolicy: "strict",
    idempotencyDays: 3,
    clock: systemClock,
  });
  const now = systemClock.now();
  const { apiKey, apiSecret } = await service.store.write(async (tx) => {
    const { tenantId } = await createTenant(tx, { name: "Acme", timezone: "UTC", now });
    await createTenant(tx, { name: "Other", timezone: "UTC", now });
    return issueCredential(tx, { tenantId, merchantId: null, pepper, now });
  });
  const headers = { "x-api-key": apiKey, "x-api-secret": apiSecret };
  const post = async (url: string, payload: object) =>
    (await service.app.inject({ method: "POST", url: `/api/v1${url}`, headers, payload })).json();
  await post("/merchants", { merchantId: "m1", displayName: "First", smsLimit: 100 });
  const decision = { merchantId: "m1", channel: "SMS", contact: to };
  await post("/consents", { ...decision, status: "OPT_IN", source: "form" });
  const ids: string[] = [];
  for (const message of texts) {
    const body = { merchantId: "m1", to, message, type: "OTP" };
    ids.push((await post("/messages/sms", body)).messageId);
  }
  await post("/consents", { ...decision, status: "OPT_OUT" });
  await service.close();
  return ids;
}
