// Where the tables of the engines differ: how one engine gives what the other one keeps in a table that it has not, or has
// otherwise. Whatever is not said here is copied from the table of the same name, column by column.

import { type Counters, dayCounters, usageCounters } from "../counters/postgres.ts";
import { queueColumns } from "../queue/columns.ts";
import type { Engine } from "./transfer-end.ts";

export interface StandIn {
  /** A SELECT whose rows are those of the table at the other end. */
  readonly select: string;
  /** The columns that it gives; the others are left to the table. @default all that the table has */
  readonly columns?: readonly string[];
  /** What its rows are told apart by. @default the table's primary key */
  readonly key?: readonly string[];
  /** Tables of this engine alone that it reads, and which are taken along by it. */
  readonly reads?: readonly string[];
}

/** By the table at the other end. */
export type StandIns = Readonly<Record<string, StandIn>>;

const messageColumns = `m.message_id, m.tenant_id, m.merchant_id, m.channel, m.type, m.purpose, m.recipient, m.queue_order,
  m.delivery_reason, m.units, m.credit_units, m.period, m.charge, m.provider_cost_micros, m.markup_micros,
  m.provider_message_id, m.created_at, m.taken_at, m.updated_at, m.subject, m.content, m.long_bytes`;

/** Counters begin again with their first turn. */
function firstTurns({ table, key, counts }: Counters): StandIn {
  const columns = [...key, ...counts];
  const sums = counts.map((count) => `CAST(SUM(${count}) AS BIGINT) AS ${count}`).join(", ");
  const select = `SELECT ${key.join(", ")}, ${sums} FROM ${table} GROUP BY ${key.join(", ")}`;
  return { select, columns, key };
}

/** Rows that one engine keeps more about, which begins anew. */
function commonPart(table: string, key: readonly string[], others: readonly string[]): StandIn {
  const columns = [...key, ...others];
  return { select: `SELECT ${columns.join(", ")} FROM ${table}`, columns, key };
}

const common: StandIns = {
  usage: firstTurns(usageCounters),
  daily_totals: firstTurns(dayCounters),
  callback_lines: commonPart(
    "callback_lines",
    ["tenant_id", "receiver"],
    ["due_at", "held_until", "rests", "waits_since"],
  ),
  callback_turns: commonPart("callback_turns", ["tenant_id"], ["due_at", "held_until"]),
};

/** By the engine that rows are taken from. */
export const standIns: Readonly<Record<Engine, StandIns>> = {
  // the queue of accepted messages, and those that ended UNKNOWN, are indexes there
  sqlite: {
    ...common,
    outbox: {
      select: `SELECT queue_order, message_id, tenant_id, created_at AS accepted_at, 0 AS lease_until, NULL AS lease_token,
                      NULL AS give_up_at, NULL AS provider
                 FROM messages WHERE status = 'QUEUED' AND queue_order IS NOT NULL`,
      columns: [
        "queue_order",
        "message_id",
        "tenant_id",
        "accepted_at",
        "lease_until",
        "lease_token",
        "give_up_at",
        "provider",
      ],
    },
    unknown_messages: { select: "SELECT message_id, tenant_id FROM messages WHERE status = 'UNKNOWN'" },
  },
  // what is leased in its place in the queue is a message that is SENDING, and a dispatch that has begun
  postgres: {
    ...common,
    messages: {
      select: `SELECT ${messageColumns}, ${queueColumns.postgres.status} AS status, COALESCE(${queueColumns.postgres.openAttempt}, m.provider) AS provider,
                      m.attempts + CASE WHEN ${queueColumns.postgres.openAttempt} IS NULL THEN 0 ELSE 1 END AS attempts
                 FROM messages m ${queueColumns.postgres.join}`,
      reads: ["outbox", "unknown_messages"],
    },
    dispatches: {
      select: `SELECT message_id, state, due_at, give_up_at, lease_token, asks, tenant_id, accepted_at, carrier, class
                 FROM dispatches
               UNION ALL
               SELECT message_id, 'submitting', lease_until, give_up_at, lease_token, 0, tenant_id, accepted_at, NULL, NULL
                 FROM outbox WHERE lease_token IS NOT NULL`,
    },
  },
};

/** Tables of one engine whose rows the other keeps outside of its database. */
export const keptApart: ReadonlySet<string> = new Set(["installation"]);
