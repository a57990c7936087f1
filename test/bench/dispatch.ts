// Measures the rates at which an otherwise idle server claims messages, and moves them to their final state.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { carryForAll } from "../../packages/server/src/carriers/carriers.ts";
import { claimDue } from "../../packages/server/src/dispatch/messages/claim.ts";
import { reserveUsage } from "../../packages/server/src/domain/billing/rows.ts";
import { defaultPrices } from "../../packages/server/src/domain/billing/rules.ts";
import { createRecipientDigest } from "../../packages/server/src/domain/contacts.ts";
import { upsertMerchant, upsertQuota } from "../../packages/server/src/domain/merchants/rows.ts";
import { OTP_VALIDITY_MS } from "../../packages/server/src/domain/messages/rules.ts";
import { createTenant } from "../../packages/server/src/domain/tenancy/tenants.ts";
import { systemClock } from "../../packages/server/src/platform/clock.ts";
import { createIds } from "../../packages/server/src/platform/ids.ts";
import { openService, type ServiceOptions } from "../../packages/server/src/service.ts";
import { QueueFloors } from "../../packages/server/src/store/queue/engine.ts";
import type { Store } from "../../packages/server/src/store/store.ts";
import { addMessage } from "../../packages/server/src/testing/messages.ts";
import { ScriptedProvider } from "../../packages/server/src/testing/scripted-provider.ts";
import { hasRow, inDataFolder, useDatabase } from "./data-folder.ts";
import { startMsgd } from "./sends.ts";

const LEASE_MS = 20_000;
const CLAIM_SIZE = 128;
const MOST_DELIVERED = 50_000;

export interface DispatchRates {
  /** Messages leased per second, in claims of 128. Each claim is on disk before the next. */
  readonly claimsPerSecond: number;
  /** Messages per second that `msgd serve` delivers, including the writes of the simulated carrier's ledger. */
  readonly deliveredPerSecond: number;
}

export async function measureDispatch(messages: number): Promise<DispatchRates> {
  return {
    claimsPerSecond: await measureClaims(messages),
    deliveredPerSecond: await measureDelivered(Math.min(messages, MOST_DELIVERED)),
  };
}

async function measureClaims(messages: number): Promise<number> {
  return onBacklog(messages, async (folder) => {
    const service = await openOn(folder);
    try {
      const start = performance.now();
      await claimAll(service.store);
      return (1_000 * messages) / (performance.now() - start);
    } finally {
      await service.close();
    }
  });
}

/** Measures the middle of a backlog: at the beginning, code is still being compiled and no receipts arrive yet. */
async function measureDelivered(messages: number): Promise<number> {
  return onBacklog(messages, async (folder) => {
    const server = await startMsgd(folder);
    while (hasRow(folder, "SELECT 1 FROM messages WHERE status <> 'DELIVERED' LIMIT 1")) await sleep(200);
    await server.stop();
    const [from, to] = [Math.floor(messages * 0.2), Math.floor(messages * 0.9)];
    const times = useDatabase(
      folder,
      (database) => database.prepare<[], number>("SELECT updated_at FROM messages ORDER BY updated_at").pluck().all(),
      { readonly: true },
    );
    return (1_000 * (to - from)) / ((times[to] ?? 0) - (times[from] ?? 0));
  });
}

/** Runs `work` in a data folder with accepted messages. */
async function onBacklog(messages: number, work: (folder: string) => Promise<number>): Promise<number> {
  return inDataFolder(async (folder) => {
    const service = await openOn(folder);
    await accept(service.store, messages);
    await service.close();
    return await work(folder);
  });
}

export function openOn(folder: string): ReturnType<typeof openService> {
  const options: ServiceOptions = {
    database: { file: join(folder, "msgd.db") },
    simulator: { file: join(folder, "simulator.db") },
    pepper: "for the bench alone",
    consentPolicy: "strict",
    idempotencyDays: 7,
    clock: systemClock,
  };
  return openService(options);
}

async function claimAll(store: Store): Promise<void> {
  const floors = new QueueFloors(() => performance.now());
  for (let claims = 0; ; claims += 1) {
    const { examined } = await store.write((tx) =>
      claimDue(
        {
          tx,
          now: Date.now(),
          prices: defaultPrices,
          elapsed: performance.now(),
          token: `bench-${claims}`,
          leaseMs: LEASE_MS,
          consentPolicy: "strict",
          digestRecipient: createRecipientDigest("pepper"),
          registration: "open",
          carriers: carryForAll({ SMS: new ScriptedProvider("simulated") }),
          callTimeoutMs: 10_000,
          otpValidityMs: OTP_VALIDITY_MS,
          listeningSince: 0,
        },
        { kind: "submit", limit: CLAIM_SIZE, scan: floors.beginScan() },
      ),
    );
    if (examined === 0) return;
  }
}

/** Inserts messages of a new tenant, as accepted sends store them, in groups. */
export async function accept(store: Store, messages: number, type: "OTP" | "TRANSACTIONAL" = "OTP"): Promise<void> {
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
        await addMessage(tx, {
          ...merchant,
          messageId: newId("msg", now),
          channel: "SMS",
          type,
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
