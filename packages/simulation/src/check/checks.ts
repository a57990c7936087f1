// What must be true of a world: after each step, and when all its work has ended.

import { MESSAGE_STATUS_VALUES } from "@msgctl/contract/constants";
import { canMove, checkInvariants, decideConsent, type MessageStatus } from "@msgctl/server/parts";
import type { Acknowledged } from "../world/callers.ts";
import type { Database, Move, NotedLease } from "../world/database.ts";
import { consentPolicy, type Surroundings } from "../world/instance.ts";
import { Violation } from "./violation.ts";

/** Messages move as the table of moves says, and so never back; several moves of one transaction are written as one. */
export function checkMoves(moves: readonly Move[]): void {
  for (const { messageId, from, to } of moves) {
    if (!leadsTo(from, to)) throw new Violation("states only move forward", `${messageId} went from ${from} to ${to}`);
  }
}

function leadsTo(from: string, to: string): boolean {
  const next = MESSAGE_STATUS_VALUES.filter((status) => canMove("message", from as MessageStatus, status));
  return next.some((status) => status === to || leadsTo(status, to));
}

/** No message is leased for a submission that its recipient's decision does not allow. */
export function checkLeases(leases: readonly NotedLease[]): void {
  for (const { messageId, channel, type, purpose, decisions } of leases) {
    if (purpose === "CONFIRMATION") continue;
    const found = decisions.map((status) =>
      decideConsent({ policy: consentPolicy, channel, type, status: status ?? undefined }),
    );
    if (found.includes("allowed")) continue;
    throw new Violation("consent holds when a message leaves", `${messageId}: ${found.join(", ")}`);
  }
}

export interface End {
  readonly database: Database;
  readonly surroundings: Surroundings;
  /** What callers were told, and no restored backup may have lost. */
  readonly acknowledged: readonly Acknowledged[];
  readonly hasRestored: boolean;
  /** For how long nobody served, in milliseconds. */
  readonly awayMs: number;
}

/** For how long callbacks are surely tried. */
const CALLBACKS_LAST_MS = 72 * 60 * 60 * 1_000;

type Check = () => void | Promise<void>;

interface MessageRow {
  readonly messageId: string;
  readonly status: string;
  readonly tenantId: number;
  readonly channel: "SMS" | "EMAIL" | "VOICE";
}

/** Of a world whose work has ended. */
export async function createEndChecks(end: End): Promise<Check[]> {
  const { database, surroundings, acknowledged, hasRestored, awayMs } = end;
  const messages = await database.all<MessageRow>(
    `SELECT message_id AS "messageId", status, tenant_id AS "tenantId", channel FROM messages`,
  );
  const statuses = new Map(messages.map((message) => [message.messageId, message]));
  return [
    async () => {
      for (const { name, faults } of await checkInvariants(database.reader)) {
        if (faults.length > 0) throw new Violation(name, JSON.stringify(faults.slice(0, 3)));
      }
    },
    () => checkAcknowledged(database, acknowledged, statuses),
    () => checkClaims(messages, surroundings),
    // what was told before a backup was restored is told again, and after days callbacks are given up
    ...(hasRestored || awayMs > CALLBACKS_LAST_MS ? [] : [() => checkCallbacks(database, surroundings)]),
  ];
}

/** What a caller was told that it made is there. */
async function checkAcknowledged(
  database: Database,
  acknowledged: readonly Acknowledged[],
  messages: ReadonlyMap<string, MessageRow>,
): Promise<void> {
  const ids = async (sql: string) =>
    new Set((await database.all<{ id: string | number }>(sql)).map(({ id }) => String(id)));
  const batches = await ids("SELECT batch_id AS id FROM tts_batches WHERE is_accepted = 1");
  const payments = await ids("SELECT payment_id AS id FROM payments");
  for (const { request, id } of acknowledged) {
    const isThere = { sendSms: messages, sendEmail: messages, createTtsCalls: batches, requestUpgrade: payments }[
      request.operationId as "sendSms"
    ]?.has(id);
    if (isThere === false)
      throw new Violation("nothing acknowledged is lost", `${request.operationId} ${request.key}: ${id}`);
  }
}

const reachedCarrier = new Set(["SENT", "DELIVERED", "UNDELIVERED"]);

/** No state claims more than is known. */
function checkClaims(messages: readonly MessageRow[], { carriers }: Surroundings): void {
  for (const { messageId, status, channel } of messages) {
    const wasTaken = carriers[channel].taken.has(messageId);
    if (reachedCarrier.has(status) && !wasTaken) {
      throw new Violation("no state claims more than is known", `${messageId} is ${status}, and no carrier took it`);
    }
    if (status === "FAILED" && wasTaken && channel !== "VOICE") {
      throw new Violation("no state claims more than is known", `${messageId} is FAILED, and a carrier took it`);
    }
  }
}

/** Each change is told by one callback, and the end of each call and batch was told to whoever takes it. */
async function checkCallbacks(database: Database, { receivers }: Surroundings): Promise<void> {
  const told = new Map<string, string>();
  for (const [webhookId, { type, data }] of receivers.posted) {
    const subject = `${type} ${JSON.stringify(data)}`;
    const other = told.get(subject);
    if (other !== undefined)
      throw new Violation("a change is told once", `${webhookId} and ${other} are both ${subject}`);
    told.set(subject, webhookId);
  }
  const ends = new Set(
    [...receivers.posted.values()]
      .filter(({ type }) => type === "voice.tts_call.finalized")
      .map(({ data }) => String(data.requestId)),
  );
  const calls = await database.all<{ requestId: number; url: string; status: string }>(
    `SELECT c.request_id AS "requestId", b.callback_url AS url, c.status FROM tts_calls c JOIN tts_batches b ON b.batch_id = c.batch_id
      WHERE b.callback_url IS NOT NULL AND b.is_accepted = 1 AND c.status <> 'REJECTED'`,
  );
  for (const { requestId, url, status } of calls) {
    if (receivers.gone.has(url) || receivers.isDown(url) || ends.has(String(requestId))) continue;
    throw new Violation("the end of a call is told", `call ${requestId} is ${status}, and ${url} was not told`);
  }
}
