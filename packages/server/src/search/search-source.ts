// Reads messages of a store for searches, as streams in order of acceptance, which is the order of message ids. Calls and
// confirmations need streams of their own: a call gets its message's id before the message exists, and a confirmation's id
// directly follows that of the message that was replied to.

import type { Views } from "@msgctl/dashboard/api";
import { showRecipient } from "../domain/contacts.ts";
import { callMessageId, lowestMessageId, readCallMessageId } from "../domain/messages/rules.ts";
import { listErasedAfter } from "../domain/recipients/erasure-rows.ts";
import type { SearchedMessage } from "../domain/recipients/search-language.ts";
import {
  callsInOrder,
  confirmationsInOrder,
  findSearchedCalls,
  findSearchedMessages,
  messagesInOrder,
  type RowFilter,
  type SearchedCallRow,
  type SearchedRow,
} from "../domain/recipients/searched-rows.ts";
import { canMoveOn } from "../domain/transitions.ts";
import { lowestId } from "../store/statement.ts";
import type { Store, Transaction } from "../store/store.ts";

/** A message in its current state. */
export interface FollowedMessage extends SearchedMessage {
  readonly tenantId: number;
  /** Whether its status is final. */
  readonly isFinal: boolean;
  /** Its position in its stream. */
  readonly position: string;
}

/** Messages of one kind in order of position, which is the order of their acceptance. */
export interface MessageStream {
  readonly name: string;
  /** Lists messages after `position` and, if given, before `before`, in order. */
  listAfter(position: string, limit: number, before?: string): Promise<readonly FollowedMessage[]>;
  /** Lists messages before a position, in reverse order. */
  listBefore(position: string, limit: number): Promise<readonly FollowedMessage[]>;
  /** Lists messages that match the filter, from `from` (inclusive) to `before` (exclusive, if given), in reverse order. */
  listWithin(
    range: { from: string; before: string | undefined },
    filter: RowFilter,
    limit: number,
  ): Promise<readonly FollowedMessage[]>;
  /** Returns a lower bound of the positions of messages accepted at this time or later. */
  positionAt(epochMs: number): string;
}

/** A message whose recipient was erased. */
export interface ErasedPosition {
  readonly messageId: string;
  readonly position: string;
}

export interface SearchSource {
  readonly streams: readonly MessageStream[];
  /** Lists messages whose recipients were erased after a position, in order of erasure. */
  listErasedAfter(position: string, limit: number): Promise<readonly ErasedPosition[]>;
  /** Returns a lower bound of the positions of erasures at this time or later. */
  erasedPositionAt(epochMs: number): string;
  /** Finds messages by id. With a filter, may omit those that do not match it. */
  find(messageIds: readonly string[], filter?: RowFilter): Promise<readonly FollowedMessage[]>;
}

/** Digits of a number in a position. Positions are compared as texts, so their numbers have a fixed length. */
const DIGITS = 16;

type ReadableStore = Pick<Store, "read">;

export function createSearchSource(store: ReadableStore): SearchSource {
  return {
    streams: [streamMessages(store), streamCalls(store), streamConfirmations(store)],
    listErasedAfter: (position, limit) => store.read((tx) => listErased(tx, position, limit)),
    erasedPositionAt: toDigits,
    find: (messageIds, filter) => store.read((tx) => findFollowed(tx, messageIds, filter)),
  };
}

/** Sorts after every message id: ids begin with a letter. */
const LAST_ID = "~";

function streamMessages(store: ReadableStore): MessageStream {
  const view = (row: SearchedRow) => viewMessage(row, row.messageId);
  return {
    name: "messages",
    listAfter: async (position, limit, before = LAST_ID) =>
      (await store.read((tx) => messagesInOrder.listAfter(tx, [position], [before], limit))).map(view),
    listBefore: async (position, limit) =>
      (await store.read((tx) => messagesInOrder.listBefore(tx, [position], limit))).map(view),
    listWithin: async ({ from, before = LAST_ID }, filter, limit) =>
      (await store.read((tx) => messagesInOrder.listWithin(tx, [from], [before], filter, limit))).map(view),
    positionAt: lowestMessageId,
  };
}

function streamCalls(store: ReadableStore): MessageStream {
  const keyOf = (position: string | undefined) => [position === undefined ? Number.MAX_SAFE_INTEGER : Number(position)];
  return {
    name: "calls",
    listAfter: async (position, limit, before) =>
      (await store.read((tx) => callsInOrder.listAfter(tx, keyOf(position), keyOf(before), limit))).map(viewCall),
    listBefore: async (position, limit) =>
      (await store.read((tx) => callsInOrder.listBefore(tx, keyOf(position), limit))).map(viewCall),
    listWithin: async ({ from, before }, filter, limit) =>
      (await store.read((tx) => callsInOrder.listWithin(tx, keyOf(from), keyOf(before), filter, limit))).map(viewCall),
    positionAt: (epochMs) => toDigits(lowestId(epochMs)),
  };
}

function streamConfirmations(store: ReadableStore): MessageStream {
  const view = (row: SearchedRow) => viewMessage(row, toDigits(row.createdAt) + row.messageId);
  const last = [Number.MAX_SAFE_INTEGER, ""] as const;
  const keyOf = (position: string | undefined) => (position === undefined ? last : readTimedPosition(position));
  return {
    name: "confirmations",
    listAfter: async (position, limit, before) =>
      (await store.read((tx) => confirmationsInOrder.listAfter(tx, keyOf(position), keyOf(before), limit))).map(view),
    listBefore: async (position, limit) =>
      (await store.read((tx) => confirmationsInOrder.listBefore(tx, keyOf(position), limit))).map(view),
    listWithin: async ({ from, before }, filter, limit) =>
      (await store.read((tx) => confirmationsInOrder.listWithin(tx, keyOf(from), keyOf(before), filter, limit))).map(
        view,
      ),
    positionAt: (epochMs) => toDigits(Math.max(0, epochMs)),
  };
}

async function listErased(tx: Transaction, position: string, limit: number): Promise<ErasedPosition[]> {
  const [from, behind] = readTimedPosition(position);
  const erased = await listErasedAfter(tx, { erasedAt: from, messageId: behind }, limit);
  return erased.map(({ erasedAt, messageId }) => ({ messageId, position: toDigits(erasedAt) + messageId }));
}

/** Finds messages by id, including calls that have not been dialled. */
async function findFollowed(
  tx: Transaction,
  messageIds: readonly string[],
  filter: RowFilter | undefined,
): Promise<FollowedMessage[]> {
  const requestIds = messageIds.flatMap((messageId) => readCallMessageId(messageId) ?? []);
  const calls = (await findSearchedCalls(tx, requestIds)).map(viewCall);
  const found = new Map(calls.map((call) => [call.messageId, call]));
  const left = messageIds.filter((messageId) => !found.has(messageId));
  for (const row of await findSearchedMessages(tx, left, filter))
    found.set(row.messageId, viewMessage(row, row.messageId));
  return messageIds.flatMap((messageId) => found.get(messageId) ?? []);
}

// Copies members by name: spreading a row and reading the result takes V8 three times as long.
function viewMessage(row: SearchedRow, position: string): FollowedMessage {
  return {
    messageId: row.messageId,
    tenantId: row.tenantId,
    merchantId: row.merchantId,
    channel: row.channel,
    type: row.type,
    status: row.status,
    reason: row.reason,
    to: showRecipient(row.to),
    subject: row.subject,
    content: row.content,
    createdAt: row.createdAt,
    project: row.project,
    position,
    isFinal: !canMoveOn("message", row.status),
  };
}

/** Returns a call as the message that it will have once it is dialled. */
function viewCall(row: SearchedCallRow): FollowedMessage {
  const { requestId, status, finalStatus, createdAt } = row;
  return {
    messageId: callMessageId({ requestId, createdAt }),
    tenantId: row.tenantId,
    merchantId: row.merchantId,
    channel: "VOICE",
    type: row.type,
    status: status ?? (finalStatus === "FAILED" ? "FAILED" : "QUEUED"),
    reason: row.reason,
    to: row.to,
    subject: null,
    content: row.content,
    createdAt,
    project: row.project,
    position: toDigits(requestId),
    isFinal: !canMoveOn("final", finalStatus) && (status === null || !canMoveOn("message", status)),
  };
}

function readTimedPosition(position: string): readonly [epochMs: number, messageId: string] {
  return [Number(position.slice(0, DIGITS)), position.slice(DIGITS)];
}

function toDigits(value: number): string {
  return String(value).padStart(DIGITS, "0");
}

/** Returns the view of a message with its full text. */
export function viewWholeMessage(message: FollowedMessage): Views["WholeMessage"] {
  const { messageId, createdAt, merchantId, channel, type, status, reason, to, subject, content, project } = message;
  const about = { messageId, createdAt: new Date(createdAt).toISOString(), merchantId, channel, type, status, reason };
  return { ...about, to, project, subject, content };
}

/** Returns the changeable part of a message, to compare it with an earlier state. */
export function stateOf({ status, reason }: FollowedMessage): string {
  return `${status} ${reason}`;
}
