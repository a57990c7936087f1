// Messages as whoever develops against the server wants to see them, whoever's they are.

import type { Schemas } from "@msgctl/contract";
import type { Channel } from "./merchants.ts";
import type { Transaction } from "./store.ts";

export interface MessageFilter {
  readonly messageId?: string;
  readonly to?: string;
  readonly channel?: Channel;
  readonly limit: number;
}

export interface ListedMessage {
  readonly messageId: string;
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly type: string;
  readonly to: string;
  readonly content: string;
  readonly status: Schemas["MessageStatus"];
  readonly deliveryReason: string | null;
  readonly attempts: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Newest first. Reads every message where the filter is seldom true: for development only. */
export function listAllMessages(tx: Transaction, filter: MessageFilter): Promise<ListedMessage[]> {
  const wanted = [
    ["message_id", filter.messageId],
    ["recipient", filter.to],
    ["channel", filter.channel],
  ] as const;
  const given = wanted.filter(([, value]) => value !== undefined);
  const conditions = given.map(([column], index) => `${column} = $${index + 2}`);
  const values = given.map(([, value]) => value ?? null);
  return tx.all<ListedMessage>(
    `SELECT message_id AS "messageId", tenant_id AS "tenantId", merchant_id AS "merchantId", channel, type,
            recipient AS "to", content, status, delivery_reason AS "deliveryReason", attempts,
            created_at AS "createdAt", updated_at AS "updatedAt"
       FROM messages ${conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`}
      ORDER BY message_id DESC LIMIT $1`,
    filter.limit,
    ...values,
  );
}
