// What a follower reads of a store. Messages come in the order of their ids, which is that of their acceptance. Two kinds come later
// than their ids say, and by orders of their own as well: a call has the id of its message from the beginning, and a
// confirmation goes right behind the message that was replied to.

import type { Views } from "@msgctl/dashboard/api";
import { showRecipient } from "../rules/contacts.ts";
import { callMessageId, lowestMessageId, readCallMessageId } from "../rules/messages.ts";
import type { SearchedMessage } from "../rules/search-language.ts";
import { canMoveOn } from "../rules/transitions.ts";
import { listErasedAfter } from "../store/erasures.ts";
import {
  callsInOrder,
  confirmationsInOrder,
  findSearchedCalls,
  findSearchedMessages,
  messagesInOrder,
  type RowFilter,
  type SearchedCallRow,
  type SearchedRow,
} from "../store/searched-messages.ts";
import { lowestId } from "../store/statement.ts";
import type { Store, Transaction } from "../store/store.ts";

/** Digits of a number as a position: positions are compared as texts. */
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

/** Behind every message's id: they begin with a letter. */
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
  const placeOf = (position: string | undefined) => [
    position === undefined ? Number.MAX_SAFE_INTEGER : Number(position),
  ];
  return {
    name: "calls",
    listAfter: async (position, limit, before) =>
      (await store.read((tx) => callsInOrder.listAfter(tx, placeOf(position), placeOf(before), limit))).map(viewCall),
    listBefore: async (position, limit) =>
      (await store.read((tx) => callsInOrder.listBefore(tx, placeOf(position), limit))).map(viewCall),
    listWithin: async ({ from, before }, filter, limit) =>
      (await store.read((tx) => callsInOrder.listWithin(tx, placeOf(from), placeOf(before), filter, limit))).map(
        viewCall,
      ),
    positionAt: (epochMs) => toDigits(lowestId(epochMs)),
  };
}

function streamConfirmations(store: ReadableStore): MessageStream {
  const view = (row: SearchedRow) => viewMessage(row, toDigits(row.createdAt) + row.messageId);
  const last = [Number.MAX_SAFE_INTEGER, ""] as const;
  const placeOf = (position: string | undefined) => (position === undefined ? last : readTimedPosition(position));
  return {
    name: "confirmations",
    listAfter: async (position, limit, before) =>
      (await store.read((tx) => confirmationsInOrder.listAfter(tx, placeOf(position), placeOf(before), limit))).map(
        view,
      ),
    listBefore: async (position, limit) =>
      (await store.read((tx) => confirmationsInOrder.listBefore(tx, placeOf(position), limit))).map(view),
    listWithin: async ({ from, before }, filter, limit) =>
      (
        await store.read((tx) => confirmationsInOrder.listWithin(tx, placeOf(from), placeOf(before), filter, limit))
      ).map(view),
    positionAt: (epochMs) => toDigits(Math.max(0, epochMs)),
  };
}

async function listErased(tx: Transaction, position: string, limit: number): Promise<ErasedPosition[]> {
  const [from, behind] = readTimedPosition(position);
  const erased = await listErasedAfter(tx, { erasedAt: from, messageId: behind }, limit);
  return erased.map(({ erasedAt, messageId }) => ({ messageId, position: toDigits(erasedAt) + messageId }));
}

/** Those of the ids that there are: calls, dialled or not, and all other messages. */
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

// each member by its name: V8 takes three times as long to spread a row, and to read what came of it

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

/** As its message is shown: a call that is not dialled yet has none. */
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

/** A time, and the message behind it. */
function readTimedPosition(position: string): readonly [epochMs: number, messageId: string] {
  return [Number(position.slice(0, DIGITS)), position.slice(DIGITS)];
}

function toDigits(value: number): string {
  return String(value).padStart(DIGITS, "0");
}

/** A message as JSON has it, with all of its text. */
export function viewWholeMessage(message: FollowedMessage): Views["WholeMessage"] {
  const { messageId, createdAt, merchantId, channel, type, status, reason, to, subject, content, project } = message;
  const about = { messageId, createdAt: new Date(createdAt).toISOString(), merchantId, channel, type, status, reason };
  return { ...about, to, project, subject, content };
}

// What a follower reads: messages in the order in which they were accepted, of any kind and from any store.

/** A message as it is now. */
export interface FollowedMessage extends SearchedMessage {
  readonly tenantId: number;
  /** Whether its status is its last. */
  readonly isFinal: boolean;
  /** Its place in its stream. */
  readonly position: string;
}

/** Messages of one kind in the order of their positions, which is that of their acceptance. */
export interface MessageStream {
  readonly name: string;
  /** Those behind a position and before another, the first ones first. */
  listAfter(position: string, limit: number, before?: string): Promise<readonly FollowedMessage[]>;
  /** Those before a position, the last ones first. */
  listBefore(position: string, limit: number): Promise<readonly FollowedMessage[]>;
  /** Those of a range that a filter lets through, the last ones first. */
  listWithin(range: PositionRange, filter: RowFilter, limit: number): Promise<readonly FollowedMessage[]>;
  /** The position that nothing accepted at that time or later is before. */
  positionAt(epochMs: number): string;
}

/** From a position on, and before another; without one, to the end. */
export interface PositionRange {
  readonly from: string;
  readonly before: string | undefined;
}

/** A message whose recipient was erased. */
export interface ErasedPosition {
  readonly messageId: string;
  readonly position: string;
}

export interface SearchSource {
  readonly streams: readonly MessageStream[];
  /** Messages whose recipients were erased behind a position, in the order of their erasure. */
  listErasedAfter(position: string, limit: number): Promise<readonly ErasedPosition[]>;
  /** The position that nothing erased at that time or later is before. */
  erasedPositionAt(epochMs: number): string;
  /** Those of the ids that there are; with a filter, at least those that it lets through. */
  find(messageIds: readonly string[], filter?: RowFilter): Promise<readonly FollowedMessage[]>;
}

/** What of a message changes. */
export function stateOf({ status, reason }: FollowedMessage): string {
  return `${status} ${reason}`;
}
