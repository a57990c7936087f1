// Stores bounces that suppress recipients, by tenant, channel and contact. A number's first bounce is stored too: it does not
// suppress the number yet.

import type { Transaction } from "../../store/store.ts";
import { findCount } from "../../store/store.ts";
import type { Channel } from "../contacts.ts";
import type { DeliveryReason } from "./rules.ts";
import { JUDGED } from "./suppressions.ts";

export interface SuppressionKey {
  readonly tenantId: number;
  readonly channel: Channel;
  /** As returned by `contactOf`. */
  readonly contact: string;
}

export interface BounceRow {
  readonly channel: Channel;
  readonly reason: DeliveryReason;
  /** The message that bounced last. */
  readonly messageId: string;
  readonly merchantId: string;
  /** When the recipient first bounced, in epoch milliseconds. */
  readonly bouncedAt: number;
  /** Null while the recipient is not suppressed. */
  readonly suppressedAt: number | null;
  /** When the row expires, and a suppression ends. */
  readonly endsAt: number;
}

/** A recipient to whom nothing is sent on this channel. */
export interface Suppression extends BounceRow {
  readonly suppressedAt: number;
}

const columns = `channel, reason, message_id AS "messageId", merchant_id AS "merchantId", bounced_at AS "bouncedAt",
  suppressed_at AS "suppressedAt", ends_at AS "endsAt"`;

/** Finds the recipient's stored bounce, if it has not expired at `now`. */
export function findBounce(
  tx: Transaction,
  { tenantId, channel, contact }: SuppressionKey,
  now: number,
): Promise<BounceRow | undefined> {
  return tx.get<BounceRow>(
    `SELECT ${columns} FROM suppressions WHERE tenant_id = $1 AND channel = $2 AND contact = $3 AND ends_at > $4`,
    tenantId,
    channel,
    contact,
    now,
  );
}

/** Finds the contact's suppression at `now`; a contact has one channel on which it can be suppressed. */
export function findSuppression(
  tx: Transaction,
  { tenantId, contact }: Omit<SuppressionKey, "channel">,
  now: number,
): Promise<Suppression | undefined> {
  const channel = contact.includes("@") ? "EMAIL" : "SMS";
  return tx.get<Suppression>(
    `SELECT ${columns} FROM suppressions
      WHERE tenant_id = $1 AND channel = $2 AND contact = $3 AND ends_at > $4 AND suppressed_at IS NOT NULL`,
    tenantId,
    channel,
    contact,
    now,
  );
}

export async function saveBounce(tx: Transaction, key: SuppressionKey, bounce: BounceRow): Promise<void> {
  await tx.run(
    `INSERT INTO suppressions (tenant_id, channel, contact, reason, message_id, merchant_id, bounced_at, suppressed_at, ends_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (tenant_id, channel, contact) DO UPDATE
       SET reason = excluded.reason, message_id = excluded.message_id, merchant_id = excluded.merchant_id,
           bounced_at = excluded.bounced_at, suppressed_at = excluded.suppressed_at, ends_at = excluded.ends_at`,
    key.tenantId,
    key.channel,
    key.contact,
    bounce.reason,
    bounce.messageId,
    bounce.merchantId,
    bounce.bouncedAt,
    bounce.suppressedAt,
    bounce.endsAt,
  );
}

/** Removes what is stored about a contact. Returns whether there was anything. */
export async function removeBounces(
  tx: Transaction,
  { tenantId, contact }: Omit<SuppressionKey, "channel">,
): Promise<boolean> {
  const channel = contact.includes("@") ? "EMAIL" : "SMS";
  const removed = await tx.run(
    "DELETE FROM suppressions WHERE tenant_id = $1 AND channel = $2 AND contact = $3",
    tenantId,
    channel,
    contact,
  );
  return removed > 0;
}

/** Most messages of all carriers that are read to find a carrier's nearest ones. */
const MOST_EXAMINED = 5_000;

/**
 * Counts the messages of the carrier that bounced among those accepted just before a message, or just after it, whichever
 * are more: bounces may arrive hours after the mails around them were submitted, and the last mail's first.
 */
export async function countBouncedAround(
  tx: Transaction,
  { carrier, messageId }: { carrier: string; messageId: string },
): Promise<number> {
  const countIn = ([comparison, order]: readonly [string, string]) =>
    findCount(
      tx,
      `SELECT COUNT(*) AS count FROM
         (SELECT delivery_reason FROM
            (SELECT message_id, provider, delivery_reason FROM messages
              WHERE message_id ${comparison} $1 ORDER BY message_id ${order} LIMIT $3) AS examined
           WHERE provider = $2 ORDER BY message_id ${order} LIMIT $4) AS nearest
        WHERE delivery_reason IN ('UNREACHABLE', 'UNKNOWN_HANDSET')`,
      messageId,
      carrier,
      MOST_EXAMINED,
      JUDGED - 1,
    );
  return Math.max(await countIn(["<", "DESC"]), await countIn([">", "ASC"]));
}
