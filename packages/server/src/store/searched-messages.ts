// Messages and calls as the index of searches follows them: each in an order of its own, from a place in it on.

import type { Schemas } from "@msgctl/contract";
import type { Channel } from "./merchants.ts";
import { projectOf } from "./project-labels.ts";
import { type QueueColumns, toQueueText } from "./queue/queue.ts";
import type { Transaction } from "./store.ts";

/** Ids of one statement: one with fewer is filled up. */
const IDS_AT_ONCE = 100;

/** A message as it is searched for. */
export interface SearchedRow {
  readonly messageId: string;
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly type: string;
  readonly status: Schemas["MessageStatus"];
  readonly reason: string | null;
  readonly to: string;
  readonly subject: string | null;
  readonly content: string;
  readonly createdAt: number;
  readonly project: string | null;
}

/** A call, dialled or not. */
export interface SearchedCallRow extends Omit<SearchedRow, "messageId" | "status" | "subject" | "channel"> {
  readonly requestId: number;
  /** Of the message that it was dialled as; before, CANCELED or null. */
  readonly status: Schemas["MessageStatus"] | null;
  readonly finalStatus: Schemas["FinalStatus"];
}

const confirming = "m.purpose = 'CONFIRMATION'";
const messageText = `CASE WHEN m.long_bytes IS NULL THEN m.content
              ELSE (SELECT l.content FROM long_contents l WHERE l.message_id = m.message_id) END`;
const ofMessages = ({ status, join }: QueueColumns) => `
  SELECT m.message_id AS "messageId", m.tenant_id AS "tenantId", m.merchant_id AS "merchantId", m.channel, m.type,
         ${status} AS status, m.delivery_reason AS reason, m.recipient AS "to", m.subject,
         ${messageText} AS content,
         m.created_at AS "createdAt", ${projectOf} AS project
    FROM messages m ${join}`;

const ofCalls = ({ status, join }: QueueColumns) => `
  SELECT c.request_id AS "requestId", b.tenant_id AS "tenantId", b.merchant_id AS "merchantId", b.message_type AS type,
         CASE WHEN m.message_id IS NOT NULL THEN ${status} WHEN c.status = 'CANCELED' THEN 'CANCELED' END AS status,
         c.final_status AS "finalStatus", c.delivery_reason AS reason, c.to_number AS "to",
         b.message_text AS content, b.created_at AS "createdAt",
         (SELECT p.project FROM project_labels p WHERE p.batch_id = c.batch_id) AS project
    FROM tts_calls c JOIN tts_batches b ON b.batch_id = c.batch_id
    LEFT JOIN messages m ON m.message_id = c.message_id ${join}`;

/** What a row has at least to be found. Each part is omitted for anything. */
export interface RowFilter {
  readonly tenantId: number;
  readonly merchantId?: string | undefined;
  /** How the recipient's address begins: ASCII, in lower case. */
  readonly to?: string | undefined;
  /** Within the text: ASCII letters and digits, in lower case. A text that is not ASCII goes through. */
  readonly word?: string | undefined;
  /** One of these. A call goes through with any status. */
  readonly channel?: readonly string[] | undefined;
  readonly type?: readonly string[] | undefined;
  readonly status?: readonly string[] | undefined;
  readonly reason?: readonly string[] | undefined;
}

/** The parameters of `isLetThrough`. */
function filterValues({ tenantId, merchantId = "", to = "", word = "", ...lists }: RowFilter) {
  const { channel, type, status, reason } = lists;
  return [tenantId, merchantId, to, word, ...[channel, type, status, reason].map(toList)] as const;
}

function toList(values: readonly string[] | undefined): string {
  return values === undefined ? "" : `,${values.join()},`;
}

interface FilteredColumns {
  readonly tenant: string;
  readonly merchant: string;
  readonly to: string;
  readonly text: string;
  readonly channel: string;
  readonly type: string;
  /** Undefined where it does not tell. */
  readonly status: string | undefined;
  readonly reason: string;
}

/** Takes `filterValues` as its parameters from `$first` on. */
function isLetThrough(row: FilteredColumns, first: number): string {
  const value = (offset: number) => `$${first + offset}`;
  const isOneOf = (offset: number, column: string) =>
    `(${value(offset)} = '' OR ${value(offset)} LIKE '%,' || ${column} || ',%')`;
  return `${row.tenant} = ${value(0)} AND (${value(1)} = '' OR ${row.merchant} = ${value(1)})
    AND (${value(2)} = '' OR lower(substr(${row.to}, 1, length(${value(2)}))) = ${value(2)})
    AND ${isOneOf(4, row.channel)} AND ${isOneOf(5, row.type)} AND ${isOneOf(7, row.reason)}
    AND ${row.status === undefined ? `${value(6)} = ${value(6)}` : isOneOf(6, row.status)}
    AND (${value(3)} = '' OR lower(${row.text}) LIKE '%' || ${value(3)} || '%'
         OR octet_length(${row.text}) <> length(${row.text}))`;
}

const messageIsLetThrough = ({ status }: QueueColumns, first: number) =>
  isLetThrough(
    {
      ...{ tenant: "m.tenant_id", merchant: "m.merchant_id", to: "m.recipient", channel: "m.channel", type: "m.type" },
      ...{ status, reason: "m.delivery_reason", text: `(coalesce(m.subject, '') || ' ' || ${messageText})` },
    },
    first,
  );

const ids = Array.from({ length: IDS_AT_ONCE }, (_none, index) => `$${index + 1}`).join(", ");

const messagesAfter = toQueueText(
  (columns) => `${ofMessages(columns)} WHERE m.message_id > $1 AND m.message_id < $2 ORDER BY m.message_id LIMIT $3`,
);
const messagesBefore = toQueueText(
  (columns) => `${ofMessages(columns)} WHERE m.message_id < $1 ORDER BY m.message_id DESC LIMIT $2`,
);
// calls and confirmations have orders of their own
const messagesWithin = toQueueText(
  (columns) =>
    `${ofMessages(columns)} WHERE m.message_id >= $1 AND m.message_id < $2
       AND NOT (m.channel = 'VOICE' AND substr(m.message_id, 15, 5) = '00000') AND NOT (${confirming})
       AND ${messageIsLetThrough(columns, 4)} ORDER BY m.message_id DESC LIMIT $3`,
);
const messagesOf = toQueueText((columns) => `${ofMessages(columns)} WHERE m.message_id IN (${ids})`);
const messagesLetThroughOf = toQueueText(
  (columns) =>
    `${ofMessages(columns)} WHERE m.message_id IN (${ids}) AND ${messageIsLetThrough(columns, IDS_AT_ONCE + 1)}`,
);

/** Messages by their ids, those behind one and before another. */
export function listMessagesAfter(
  tx: Transaction,
  messageId: string,
  before: string,
  limit: number,
): Promise<SearchedRow[]> {
  return tx.all<SearchedRow>(messagesAfter, messageId, before, limit);
}

/** Those from one on and before another that are let through, the last ones first. */
export function listMessagesWithin(
  tx: Transaction,
  from: string,
  before: string,
  filter: RowFilter,
  limit: number,
): Promise<SearchedRow[]> {
  return tx.all<SearchedRow>(messagesWithin, from, before, limit, ...filterValues(filter));
}

/** Those before one, the last ones first. */
export function listMessagesBefore(tx: Transaction, messageId: string, limit: number): Promise<SearchedRow[]> {
  return tx.all<SearchedRow>(messagesBefore, messageId, limit);
}

/** Those of the ids that there are, and that a filter lets through if there is one, in any order. */
export async function findSearchedMessages(
  tx: Transaction,
  messageIds: readonly string[],
  filter?: RowFilter,
): Promise<SearchedRow[]> {
  const [text, values] = filter === undefined ? [messagesOf, []] : [messagesLetThroughOf, filterValues(filter)];
  const rows: SearchedRow[] = [];
  for (const given of inParts(messageIds, "")) {
    rows.push(...(await tx.all<SearchedRow>(text, ...given, ...values)));
  }
  return rows;
}

/** A place in the order of confirmations. */
export interface ConfirmationPlace {
  readonly createdAt: number;
  readonly messageId: string;
}

const confirmationsAfter = toQueueText(
  (columns) => `${ofMessages(columns)} WHERE ${confirming} AND (m.created_at, m.message_id) > ($1, $2)
                   AND (m.created_at, m.message_id) < ($3, $4) ORDER BY m.created_at, m.message_id LIMIT $5`,
);
const confirmationsWithin = toQueueText(
  (columns) => `${ofMessages(columns)} WHERE ${confirming} AND (m.created_at, m.message_id) >= ($1, $2)
                   AND (m.created_at, m.message_id) < ($3, $4) AND ${messageIsLetThrough(columns, 6)}
                 ORDER BY m.created_at DESC, m.message_id DESC LIMIT $5`,
);
const confirmationsBefore = toQueueText(
  (columns) => `${ofMessages(columns)} WHERE ${confirming} AND (m.created_at, m.message_id) < ($1, $2)
                 ORDER BY m.created_at DESC, m.message_id DESC LIMIT $3`,
);

/** Confirmations of replies by when they were accepted, those behind a place and before another. */
export function listConfirmationsAfter(
  tx: Transaction,
  { createdAt, messageId }: ConfirmationPlace,
  before: ConfirmationPlace,
  limit: number,
): Promise<SearchedRow[]> {
  const places = [createdAt, messageId, before.createdAt, before.messageId] as const;
  return tx.all<SearchedRow>(confirmationsAfter, ...places, limit);
}

/** Those from a place on and before another that are let through, the last ones first. */
export function listConfirmationsWithin(
  tx: Transaction,
  from: ConfirmationPlace,
  before: ConfirmationPlace,
  filter: RowFilter,
  limit: number,
): Promise<SearchedRow[]> {
  const places = [from.createdAt, from.messageId, before.createdAt, before.messageId] as const;
  return tx.all<SearchedRow>(confirmationsWithin, ...places, limit, ...filterValues(filter));
}

/** Those before a place, the last ones first. */
export function listConfirmationsBefore(
  tx: Transaction,
  { createdAt, messageId }: ConfirmationPlace,
  limit: number,
): Promise<SearchedRow[]> {
  return tx.all<SearchedRow>(confirmationsBefore, createdAt, messageId, limit);
}

// a call of sendVoice has a message from the beginning, with an id of its own: it is among the messages
const isOwnMessage = "(c.message_id IS NULL OR substr(c.message_id, 15, 5) = '00000')";

const callIsLetThrough = isLetThrough(
  {
    ...{ tenant: "b.tenant_id", merchant: "b.merchant_id", to: "c.to_number", channel: "'VOICE'" },
    ...{ type: "b.message_type", status: undefined, reason: "c.delivery_reason", text: "b.message_text" },
  },
  4,
);

const callsAfter = toQueueText(
  (columns) => `${ofCalls(columns)} WHERE c.request_id > $1 AND c.request_id < $2 AND ${isOwnMessage}
                 ORDER BY c.request_id LIMIT $3`,
);
const callsWithin = toQueueText(
  (columns) => `${ofCalls(columns)} WHERE c.request_id >= $1 AND c.request_id < $2 AND ${isOwnMessage}
                   AND ${callIsLetThrough} ORDER BY c.request_id DESC LIMIT $3`,
);
const callsBefore = toQueueText(
  (columns) => `${ofCalls(columns)} WHERE c.request_id < $1 AND ${isOwnMessage} ORDER BY c.request_id DESC LIMIT $2`,
);
const callsOf = toQueueText((columns) => `${ofCalls(columns)} WHERE c.request_id IN (${ids})`);

/** Calls whose messages have the ids of `callMessageId`, by their own ids, those behind one and before another. */
export function listCallsAfter(
  tx: Transaction,
  requestId: number,
  before: number,
  limit: number,
): Promise<SearchedCallRow[]> {
  return tx.all<SearchedCallRow>(callsAfter, requestId, before, limit);
}

/** Those from one on and before another that are let through, the last ones first. */
export function listCallsWithin(
  tx: Transaction,
  from: number,
  before: number,
  filter: RowFilter,
  limit: number,
): Promise<SearchedCallRow[]> {
  return tx.all<SearchedCallRow>(callsWithin, from, before, limit, ...filterValues(filter));
}

/** Those before one, the last ones first. */
export function listCallsBefore(tx: Transaction, requestId: number, limit: number): Promise<SearchedCallRow[]> {
  return tx.all<SearchedCallRow>(callsBefore, requestId, limit);
}

/** Those of the ids that there are, in any order. */
export async function findSearchedCalls(tx: Transaction, requestIds: readonly number[]): Promise<SearchedCallRow[]> {
  const rows: SearchedCallRow[] = [];
  for (const given of inParts(requestIds, -1)) {
    rows.push(...(await tx.all<SearchedCallRow>(callsOf, ...given)));
  }
  return rows;
}

/** Parts of the same length, the last one filled up. */
function inParts<Id>(all: readonly Id[], none: Id): Id[][] {
  const parts: Id[][] = [];
  for (let start = 0; start < all.length; start += IDS_AT_ONCE) {
    const part = all.slice(start, start + IDS_AT_ONCE);
    parts.push([...part, ...Array.from({ length: IDS_AT_ONCE - part.length }, () => none)]);
  }
  return parts;
}
