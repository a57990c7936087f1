// The population of a world: two tenants with three merchants, their keys, and their recipients.

import { prunedTables } from "../../src/dispatch/jobs/handlers.ts";
import { saveSubscription } from "../../src/domain/callbacks/event-rows.ts";
import { toSigningSecret } from "../../src/domain/callbacks/rules.ts";
import { restoreCallbackSecret } from "../../src/domain/callbacks/secrets.ts";
import { recordConsent } from "../../src/domain/consent/rows.ts";
import { upsertMerchant, upsertQuota } from "../../src/domain/merchants/rows.ts";
import { hashSecret, makeApiKey, makeApiSecret } from "../../src/domain/tenancy/credentials.ts";
import { insertCredential } from "../../src/domain/tenancy/rows.ts";
import { createTenant } from "../../src/domain/tenancy/tenants.ts";
import { createSecretBox } from "../../src/platform/secret-box.ts";
import { beginPruned } from "../../src/store/pruning.ts";
import type { Transaction } from "../../src/store/store.ts";
import { CHANNELS, MERCHANTS, RECIPIENTS } from "../plan/plan.ts";
import { Random } from "../random.ts";
import { receiverUrls } from "./receiver.ts";
import type { Removals } from "./removals.ts";

export const pepper = "a pepper of no secret, for memory only";
export const secrets = createSecretBox(() => [Buffer.alloc(32, "for memory only")]);
const signingSecret = toSigningSecret(Buffer.alloc(24));

export interface Merchant {
  readonly tenant: number;
  readonly merchantId: string;
  readonly headers: Readonly<Record<"x-api-key" | "x-api-secret", string>>;
}

/** Tenant names, by the tenant's number. */
export const tenants = ["First", "Second"] as const;
const keys = new Random(0, "keys");

/** The first two merchants belong to one tenant. Each uses a key of its tenant with all permissions. */
export const merchants: readonly Merchant[] = Array.from({ length: MERCHANTS }, (_, index) => ({
  tenant: index < 2 ? 0 : 1,
  merchantId: `m${index}`,
  headers: { "x-api-key": makeApiKey("tenant", "live", keys.below), "x-api-secret": makeApiSecret(keys.below) },
}));

const hashes = merchants.map(({ headers }) => hashSecret(headers["x-api-secret"], pepper));

export const phones: readonly string[] = Array.from({ length: RECIPIENTS }, (_, index) => `+1202555010${index}`);
export const addresses: readonly string[] = Array.from({ length: RECIPIENTS }, (_, index) => `r${index}@mail.example`);

export async function populate(
  tx: Transaction,
  { random, now, prunes, removals }: { random: Random; now: number; prunes: boolean; removals: Removals | undefined },
): Promise<void> {
  if (removals !== undefined) for (const channel of CHANNELS) await removals.set(tx, channel, now);
  const ids: number[] = [];
  for (const [index, name] of tenants.entries()) {
    const timezone = index === 0 ? "UTC" : "America/New_York";
    const { tenantId } = await createTenant(tx, { name, timezone, mode: "live", now });
    await restoreCallbackSecret(tx, secrets, { tenantId, now, secret: signingSecret });
    // the first tenant is told of its messages
    if (index === 0)
      await saveSubscription(tx, { tenantId, url: receiverUrls[0], tellsUpdates: 1, tellsTexts: 1, setAt: now });
    ids.push(tenantId);
  }
  for (const [index, { tenant, merchantId, headers }] of merchants.entries()) {
    const tenantId = ids[tenant] ?? 0;
    await insertCredential(tx, {
      apiKey: headers["x-api-key"],
      secretHash: hashes[index] ?? "",
      tenantId,
      merchantId: null,
      now,
    });
    await upsertMerchant(tx, { tenantId, merchantId, displayName: merchantId, active: true, now });
    for (const channel of ["SMS", "VOICE", "EMAIL"] as const) {
      const limit = random.spread(1, 60);
      await upsertQuota(tx, { tenantId, merchantId, channel, limit, credits: random.pick([0, 0, 5]) });
      for (const contact of channel === "EMAIL" ? addresses : phones) {
        const status = random.pick([undefined, "OPT_IN", "OPT_IN", "OPT_IN", "OPT_OUT"] as const);
        if (status === undefined) continue;
        await recordConsent(
          tx,
          { tenantId, merchantId, channel, contact },
          { status, source: "population", changedBy: "population", now },
        );
      }
    }
  }
  if (!prunes) await holdPruning(tx);
}

/** Marks pruning as scheduled although no job is due, so that the server prunes nothing. */
async function holdPruning(tx: Transaction): Promise<void> {
  for (const table of prunedTables) await beginPruned(tx, table);
}
