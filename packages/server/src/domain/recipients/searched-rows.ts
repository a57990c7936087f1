// Reads messages and calls for searches and the search index. Each kind of row has its own order, readable from any
// position.

import type { Schemas } from "@msgctl/contract";
import { inStatements, listParameters } from "../../store/batching.ts";
import { type QueueColumns, toQueueText } from "../../store/queue/queue.ts";
import type { SqlValue, Transaction } from "../../store/store.ts";
import type { Channel } from "../contacts.ts";
import { projectOf } from "../tenancy/project-rows.ts";

/** The searchable fields of a message. */
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

/** The searchable fields of a call, dialled or not. */
export interface SearchedCallRow extends Omit<SearchedRow, "messageId" | "status" | "subject" | "channel"> {
  readonly requestId: number;
  /** The status of the call's message; CANCELED or null if the call was not dialled. */
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

/** Conditions on a row. An omitted condition matches every row. */
export interface RowFilter {
  readonly tenantId: number;
  readonly merchantId?: string | undefined;
  /** Start of the recipient's address: ASCII, in lower case. */
  readonly to?: string | undefined;
  /** Part of the text: ASCII letters and digits, in lower case. A text with non-ASCII characters always matches. */
  readonly word?: string | undefined;
  /** A row matches a list if it has one of the list's values. Calls match every `status` list. */
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
  /** Undefined if the rows have no known status: then any status matches. */
  readonly status: string | undefined;
  readonly reason: string;
}

/** SQL that is true for rows that match. Its parameters, `filterValues`, start at `$first`. */
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
      tenant: "m.tenant_id",
      merchant: "m.merchant_id",
      to: "m.recipient",
      text: `(coalesce(m.subject, '') || ' ' || ${messageText})`,
      channel: "m.channel",
      type: "m.type",
      status,
      reason: "m.delivery_reason",
    },
    first,
  );

/** A position in an order: the values of the columns that define it. */
type PageKey = readonly SqlValue[];

/** One kind of rows, with the order in which it is read. */
export interface SearchOrder<Row> {
  /** Lists rows after `position` and before `before`, in order. */
  listAfter(tx: Transaction, position: PageKey, before: PageKey, limit: number): Promise<Row[]>;
  /** Lists rows from `from` (inclusive) to `before` (exclusive) that match the filter, in reverse order. */
  listWithin(tx: Transaction, from: PageKey, before: PageKey, filter: RowFilter, limit: number): Promise<Row[]>;
  /** Lists rows before `position`, in reverse order. */
  listBefore(tx: Transaction, position: PageKey, limit: number): Promise<Row[]>;
}

interface OrderOptions {
  readonly select: (columns: QueueColumns) => string;
  readonly key: readonly string[];
  /** SQL condition that all rows of the order fulfil. @default true */
  readonly isOfOrder?: string;
  /** SQL condition of the rows that `listWithin` considers. @default `isOfOrder` */
  readonly isWithin?: string | undefined;
  readonly isLetThrough: (columns: QueueColumns, first: number) => string;
}

function describeOrder<Row>(options: OrderOptions): SearchOrder<Row> {
  const { select, key, isOfOrder = "TRUE", isWithin = isOfOrder } = options;
  const columns = `(${key.join(", ")})`;
  const positionFrom = (first: number) => `(${listParameters(first, key)})`;
  const limit = 2 * key.length + 1;
  const lastFirst = `ORDER BY ${key.map((column) => `${column} DESC`).join(", ")}`;
  const after = toQueueText(
    (queue) => `${select(queue)} WHERE ${isOfOrder} AND ${columns} > ${positionFrom(1)}
        AND ${columns} < ${positionFrom(key.length + 1)} ORDER BY ${key.join(", ")} LIMIT $${limit}`,
  );
  const within = toQueueText(
    (queue) => `${select(queue)} WHERE ${isWithin} AND ${columns} >= ${positionFrom(1)}
        AND ${columns} < ${positionFrom(key.length + 1)} AND ${options.isLetThrough(queue, limit + 1)}
      ${lastFirst} LIMIT $${limit}`,
  );
  const before = toQueueText(
    (queue) => `${select(queue)} WHERE ${isOfOrder} AND ${columns} < ${positionFrom(1)}
      ${lastFirst} LIMIT $${key.length + 1}`,
  );
  return {
    listAfter: (tx, position, end, most) => tx.all<Row>(after, ...position, ...end, most),
    listWithin: (tx, from, end, filter, most) => tx.all<Row>(within, ...from, ...end, most, ...filterValues(filter)),
    listBefore: (tx, position, most) => tx.all<Row>(before, ...position, most),
  };
}

/** Messages by id. `listWithin` omits calls and confirmations, which have orders of their own. */
export const messagesInOrder = describeOrder<SearchedRow>({
  select: ofMessages,
  key: ["m.message_id"],
  isWithin: `NOT (m.channel = 'VOICE' AND substr(m.message_id, 15, 5) = '00000') AND NOT (${confirming})`,
  isLetThrough: messageIsLetThrough,
});

/** Confirmations of replies, by time of acceptance, then by id. */
export const confirmationsInOrder = describeOrder<SearchedRow>({
  select: ofMessages,
  key: ["m.created_at", "m.message_id"],
  isOfOrder: confirming,
  isLetThrough: messageIsLetThrough,
});

/**
 * Calls by `requestId`. Excludes calls of sendVoice: they have a message with an ordinary id from the start, and so are
 * listed among the messages.
 */
export const callsInOrder = describeOrder<SearchedCallRow>({
  select: ofCalls,
  key: ["c.request_id"],
  isOfOrder: "(c.message_id IS NULL OR substr(c.message_id, 15, 5) = '00000')",
  isLetThrough: (_queue, first) =>
    isLetThrough(
      {
        tenant: "b.tenant_id",
        merchant: "b.merchant_id",
        to: "c.to_number",
        text: "b.message_text",
        channel: "'VOICE'",
        type: "b.message_type",
        status: undefined,
        reason: "c.delivery_reason",
      },
      first,
    ),
});

const messagesOf = toQueueText((queue) => `${ofMessages(queue)} WHERE m.message_id IN (${listParameters(1)})`);
const messagesLetThroughOf = toQueueText(
  (queue) => `${ofMessages(queue)} WHERE m.message_id IN (${listParameters(9)}) AND ${messageIsLetThrough(queue, 1)}`,
);
const callsOf = toQueueText((queue) => `${ofCalls(queue)} WHERE c.request_id IN (${listParameters(1)})`);

/** Finds messages by id, only those that match the filter if one is given. Returns them in any order. */
export async function findSearchedMessages(
  tx: Transaction,
  messageIds: readonly string[],
  filter?: RowFilter,
): Promise<SearchedRow[]> {
  const [text, values] = filter === undefined ? [messagesOf, []] : [messagesLetThroughOf, filterValues(filter)];
  const rows: SearchedRow[] = [];
  for (const ids of inStatements(messageIds)) rows.push(...(await tx.all<SearchedRow>(text, ...values, ...ids)));
  return rows;
}

/** Finds calls by id. Returns them in any order. */
export async function findSearchedCalls(tx: Transaction, requestIds: readonly number[]): Promise<SearchedCallRow[]> {
  const rows: SearchedCallRow[] = [];
  for (const ids of inStatements(requestIds)) rows.push(...(await tx.all<SearchedCallRow>(callsOf, ...ids)));
  return rows;
}
