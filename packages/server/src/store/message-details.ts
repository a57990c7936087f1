// All that is kept of one message, for people who look at it.

import type { Schemas } from "@msgctl/contract";
import type { Channel } from "./merchants.ts";
import type { Charge } from "./message-progress.ts";
import { projectOf } from "./project-labels.ts";
import { toQueueText } from "./queue/columns.ts";
import type { Transaction } from "./store.ts";

export interface MessageDetails {
  readonly messageId: string;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly type: string;
  readonly purpose: "SEND" | "CONFIRMATION";
  readonly status: Schemas["MessageStatus"];
  readonly reason: string | null;
  readonly to: string;
  readonly subject: string | null;
  readonly content: string;
  readonly units: number;
  readonly creditUnits: number;
  readonly attempts: number;
  readonly provider: string | null;
  readonly providerMessageId: string | null;
  readonly providerCostMicros: number | null;
  readonly markupMicros: number | null;
  /** RESERVED until it is known whether the units are taken. */
  readonly charge: Charge;
  /** The month that the units are of, such as 2026-11-01. */
  readonly period: string;
  readonly createdAt: number;
  /** When a carrier took it; null before, and for those that were taken before this was kept. */
  readonly takenAt: number | null;
  readonly updatedAt: number;
  readonly project: string | null;
  /** What a carrier last said of it where it did not take it at once, or did not deliver it; null if nothing. */
  readonly carrierWords: string | null;
  readonly carrierSaidAt: number | null;
}

const details = toQueueText(
  ({ status, openAttempt, join }) => `
  SELECT m.message_id AS "messageId", m.merchant_id AS "merchantId", m.channel, m.type, m.purpose, ${status} AS status,
         m.delivery_reason AS reason, m.recipient AS "to", m.subject,
         CASE WHEN m.long_bytes IS NULL THEN m.content
              ELSE (SELECT l.content FROM long_contents l WHERE l.message_id = m.message_id) END AS content,
         m.units, m.credit_units AS "creditUnits",
         m.attempts + CASE WHEN ${openAttempt} IS NULL THEN 0 ELSE 1 END AS attempts,
         COALESCE(m.provider, ${openAttempt}) AS provider, m.provider_message_id AS "providerMessageId",
         m.provider_cost_micros AS "providerCostMicros", m.markup_micros AS "markupMicros",
         m.charge, m.period, m.created_at AS "createdAt", m.taken_at AS "takenAt", m.updated_at AS "updatedAt",
         ${projectOf} AS project, w.words AS "carrierWords", w.said_at AS "carrierSaidAt"
    FROM messages m ${join} LEFT JOIN carrier_words w ON w.message_id = m.message_id WHERE m.message_id = $1 AND m.tenant_id = $2`,
);

/** The tenant's message; undefined if it has none of that id, as of a call that is not dialled yet. */
export function findMessageDetails(
  tx: Transaction,
  tenantId: number,
  messageId: string,
): Promise<MessageDetails | undefined> {
  return tx.get<MessageDetails>(details, messageId, tenantId);
}
