// Reads messages of a store for searches, as streams in the order of acceptance, which is that of message ids. Calls and
// confirmations have streams of their own: a call has its message's id before the message exists, and a confirmation's id
// follows that of the message that was replied to.

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

/** A message as it is now. */
export interface FollowedMessage extends SearchedMessage {
  readonly tenantId: number;
  /** Whether its status is final. */
  readonly isFinal: boolean;
  /** Its position in its stream. */
  readonly position: string;
}

/** Messages of one kind in the order of their positions, which is that of their acceptance. */
export interface MessageStream {
  readonly name: string;
  /** Lists messages after a position and before another, in order. */
  listAfter(position: string, limit: number, before?: string): Promise<readonly FollowedMessage[]>;
  /** Lists messages before a position, in reverse order. */
  listBefore(position: string, limit: number): Promise<readonly FollowedMessage[]>;
  /** Lists messages from a position on, and before another if given, that pass the filter, in reverse order. */
  listWithin(
    range: { from: string; before: string | undefined },
    filter: RowFilter,
    limit: number,
  ): Promise<readonly FollowedMessage[]>;
  /** Returns a position before which no message accepted at that time or later is. */
  positionAt(epochMs: number): string;
}

/** A message whose recipient was erased. */
export interface ErasedPosition {
  readonly messageId: string;
  readonly position: string;
}

export interface SearchSource {
  readonly streams: readonly MessageStream[];
  /** Lists messages whose recipients were erased after a position, in the order of erasure. */
  listErasedAfter(position: string, limit: number): Promise<readonly ErasedPosition[]>;
  /** Returns a position before which no erasure at that time or later is. */
  erasedPositionAt(epochMs: number): string;
  /** Finds messages by their ids; with a filter, at least those that pass it. */
  find(messageIds: readonly string[], filter?: RowFilter): Promise<readonly FollowedMessage[]>;
}

/** The digits of a number in a position: positions are compared as texts. */
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

/** A text after every message's id, which begin with a letter. */
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

/** Finds calls, dialled or not, and all other messages by their ids. */
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

// each member by its name: V8 takes three times as long to spread a row and read the result
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

/** Returns a call as its message, which it does not have before it is dialled. */
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

/** Returns the view of a message with all of its text. */
export function viewWholeMessage(message: FollowedMessage): Views["WholeMessage"] {
  const { messageId, createdAt, merchantId, channel, type, status, reason, to, subject, content, project } = message;
  const about = { messageId, createdAt: new Date(createdAt).toISOString(), merchantId, channel, type, status, reason };
  return { ...about, to, project, subject, content };
}

/** Returns the part of a message that may change. */
export function stateOf({ status, reason }: FollowedMessage): string {
  return `${status} ${reason}`;
}
