// How fast dispatch takes messages up, and how fast it moves them to their end, with nothing else to do.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { carryForAll } from "../../packages/server/src/dispatch/carriers/carriers.ts";
import { claimDue } from "../../packages/server/src/dispatch/messages/claim.ts";
import { systemClock } from "../../packages/server/src/platform/clock.ts";
import { createIds } from "../../packages/server/src/platform/ids.ts";
import { createRecipientDigest } from "../../packages/server/src/rules/erased-recipients.ts";
import { defaultPrices } from "../../packages/server/src/rules/prices.ts";
import { OTP_VALIDITY_MS } from "../../packages/server/src/rules/validity.ts";
import { openService, type ServiceOptions } from "../../packages/server/src/service.ts";
import { createTenant } from "../../packages/server/src/steps/tenancy.ts";
import { upsertMerchant, upsertQuota } from "../../packages/server/src/store/merchants.ts";
import { insertMessage } from "../../packages/server/src/store/messages.ts";
import { QueueFloors } from "../../packages/server/src/store/queue-floors.ts";
import type { Store } from "../../packages/server/src/store/store.ts";
import { reserveUsage } from "../../packages/server/src/store/usage.ts";
import { ScriptedProvider } from "../../packages/server/src/testing/scripted-provider.ts";

const LEASE_MS = 20_000;
const CLAIM_SIZE = 128;

export interface DispatchRates {
  /** Messages leased a second, in claims of 128, each claim on disk before the next. */
  readonly claimsPerSecond: number;
  /** Messages a second from accepted to delivered, the simulated provider's own ledger on disk included. */
  readonly deliveredPerSecond: number;
}

export async function measureDispatch(messages: number): Promise<DispatchRates> {
  return {
    claimsPerSecond: await onBacklog(messages, claimAll),
    deliveredPerSecond: await onBacklog(Math.min(messages, 10_000), deliverAll),
  };
}

async function onBacklog(
  messages: number,
  work: (service: Awaited<ReturnType<typeof openService>>, messages: number) => Promise<void>,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "msgd-dispatch-"));
  const options: ServiceOptions = {
    database: { file: join(folder, "msgd.db") },
    simulator: { file: join(folder, "simulator.db") },
    pepper: "for the bench alone",
    consentPolicy: "strict",
    idempotencyDays: 7,
    clock: systemClock,
  };
  const service = await openService(options);
  try {
    await accept(service.store, messages);
    const start = performance.now();
    await work(service, messages);
    return (1_000 * messages) / (performance.now() - start);
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function claimAll({ store }: { store: Store }): Promise<void> {
  const floors = new QueueFloors(() => performance.now());
  for (let claims = 0; ; claims += 1) {
    const { looked } = await store.write((tx) =>
      claimDue(
        {
          tx,
          now: Date.now(),
          prices: defaultPrices,
          elapsed: performance.now(),
          token: `bench-${claims}`,
          leaseMs: LEASE_MS,
          look: floors.beginLook(),
          consentPolicy: "strict",
          digestRecipient: createRecipientDigest("pepper"),
          registration: "open",
          carriers: carryForAll({ SMS: new ScriptedProvider("simulated") }),
          callTimeoutMs: 10_000,
          otpValidityMs: OTP_VALIDITY_MS,
        },
        "submit",
        CLAIM_SIZE,
      ),
    );
    if (looked === 0) return;
  }
}

async function deliverAll(service: { store: Store; start(): Promise<void> }, messages: number): Promise<void> {
  await service.start();
  for (;;) {
    const row = await service.store.read((tx) =>
      tx.get<{ count: number }>("SELECT COUNT(*) AS count FROM messages WHERE status = 'DELIVERED'"),
    );
    if (row?.count === messages) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Messages as sends leave them, in groups. */
async function accept(store: Store, messages: number): Promise<void> {
  const now = Date.now();
  const { tenantId } = await store.write((tx) =>
    createTenant(tx, { name: "Bench", timezone: "UTC", mode: "test", now }),
  );
  const merchant = { tenantId, merchantId: "bench" };
  await store.write(async (tx) => {
    await upsertMerchant(tx, { ...merchant, displayName: "Bench", active: true, now });
    await upsertQuota(tx, { ...merchant, channel: "SMS", limit: 1_000_000_000, credits: 0 });
  });
  const newId = createIds();
  const period = `${new Date(now).toISOString().slice(0, 7)}-01`;
  for (let done = 0; done < messages; done += 1_000) {
    await store.write(async (tx) => {
      const count = Math.min(1_000, messages - done);
      await reserveUsage(tx, { ...merchant, channel: "SMS", period }, { units: count, creditUnits: 0 });
      for (let index = 0; index < count; index += 1) {
        await insertMessage(tx, {
          ...merchant,
          messageId: newId("msg", now),
          channel: "SMS",
          type: "OTP",
          purpose: "SEND",
          recipient: "+12025550100",
          subject: null,
          content: "Hello",
          units: 1,
          creditUnits: 0,
          period,
          now,
        });
      }
    });
  }
}
