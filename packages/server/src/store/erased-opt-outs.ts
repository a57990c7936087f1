// What people have opted out of who were erased: a send to them is refused, although nobody can tell from here who they are.

import type { Channel } from "./merchants.ts";
import type { Transaction } from "./store.ts";

export interface ErasedOptOutKey {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  /** Of `rules/erased-recipients.ts`. */
  readonly digest: string;
}

export interface ErasedOptOut {
  readonly merchantId: string;
  readonly channel: Channel;
  readonly optedOutAt: number;
}

/** Digests looked up per statement, whose text is the same however many there are. */
const DIGESTS_A_STATEMENT = 100;

export async function keepOptOut(tx: Transaction, key: ErasedOptOutKey, optedOutAt: number): Promise<void> {
  await tx.run(
    `INSERT INTO erased_opt_outs (tenant_id, merchant_id, channel, digest, opted_out_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (tenant_id, merchant_id, channel, digest) DO UPDATE SET opted_out_at = $5`,
    key.tenantId,
    key.merchantId,
    key.channel,
    key.digest,
    optedOutAt,
  );
}

export async function dropOptOut(tx: Transaction, key: ErasedOptOutKey): Promise<void> {
  await tx.run(
    "DELETE FROM erased_opt_outs WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 AND digest = $4",
    key.tenantId,
    key.merchantId,
    key.channel,
    key.digest,
  );
}

const ofDigests = `
  SELECT digest FROM erased_opt_outs WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3
     AND digest IN (${Array.from({ length: DIGESTS_A_STATEMENT }, (_, index) => `$${index + 4}`).join(", ")})`;

/** Those of the digests whose owners have opted out. */
export async function findErasedOptOuts(
  tx: Transaction,
  { tenantId, merchantId, channel }: Omit<ErasedOptOutKey, "digest">,
  digests: readonly string[],
): Promise<Set<string>> {
  const found = new Set<string>();
  for (let start = 0; start < digests.length; start += DIGESTS_A_STATEMENT) {
    const asked = digests.slice(start, start + DIGESTS_A_STATEMENT);
    while (asked.length < DIGESTS_A_STATEMENT) asked.push("");
    const rows = await tx.all<{ digest: string }>(ofDigests, tenantId, merchantId, channel, ...asked);
    for (const { digest } of rows) found.add(digest);
  }
  return found;
}

/** All that the owner of a digest has opted out of, by merchant and channel. */
export function listErasedOptOuts(tx: Transaction, tenantId: number, digest: string): Promise<ErasedOptOut[]> {
  return tx.all<ErasedOptOut>(
    `SELECT merchant_id AS "merchantId", channel, opted_out_at AS "optedOutAt" FROM erased_opt_outs
      WHERE tenant_id = $1 AND digest = $2 ORDER BY merchant_id, channel`,
    tenantId,
    digest,
  );
}
