// Checks of carriers at the end of a world: each carrier got the messages that callers requested, and its reports since the
// last restored backup are on record.

import type { ProviderEvent } from "../../src/carriers/provider.ts";
import { chargedMinutes, endOf } from "../../src/domain/calls/rules.ts";
import { HOUR_MS } from "../plan/durations.ts";
import type { Plan } from "../plan/plan.ts";
import type { Acknowledged } from "../world/callers.ts";
import type { Taken } from "../world/carrier.ts";
import type { Database } from "../world/database.ts";
import type { Surroundings } from "../world/instance.ts";
import { Violation } from "./violation.ts";

const PATIENCE_MS = 72 * HOUR_MS;
/** Largest change of a clock's reading when it is set. */
const CLOCKS_DIFFER_MS = 5 * HOUR_MS;

type Body = Readonly<Record<string, unknown>>;

/** Checks that each text and email that a carrier took has the content, recipient and merchant of the caller's request. */
export function checkGiven(acknowledged: readonly Acknowledged[], { carriers }: Surroundings): void {
  for (const { request, id } of acknowledged) {
    const isMail = request.operationId === "sendEmail";
    if (!isMail && request.operationId !== "sendSms") continue;
    const given = carriers[isMail ? "EMAIL" : "SMS"].taken.get(id)?.submission;
    if (given === undefined) continue;
    const { merchantId, to, type, subject = null, message, body } = request.body as Body;
    const asked = { merchantId, to, type, subject, content: isMail ? body : message };
    requireSame("a carrier is given what was asked for", id, asked, pick(given, Object.keys(asked)));
  }
}

/** Checks that a message requested after the removal of a carrier is not submitted before a carrier is set again. */
export function checkRemovals(acknowledged: readonly Acknowledged[], { removals }: Surroundings): void {
  if (removals === undefined) return;
  for (const { request, id, begunAt } of acknowledged) {
    const channel = { sendSms: "SMS", sendEmail: "EMAIL" }[request.operationId as string];
    const given = removals.given.get(id) ?? [];
    const absence = removals.absences.find(
      (one) => one.channel === channel && begunAt > one.from && given.some((at) => at < one.to),
    );
    if (absence !== undefined)
      throw new Violation("nothing is submitted to a removed carrier", `${id} was submitted by ${channel}`);
  }
}

interface CallRow {
  readonly messageId: string;
  readonly tenantId: number;
  readonly merchantId: string;
  readonly to: string;
  readonly content: string;
  readonly durationSeconds: number | null;
  readonly minutes: number;
  readonly reason: string | null;
}

/** The reason of a call whose end no carrier reported. */
const UNTOLD = "CARRIER_UNKNOWN";

const calls = `
  SELECT c.message_id AS "messageId", b.tenant_id AS "tenantId", b.merchant_id AS "merchantId", c.to_number AS "to",
         b.message_text AS content, c.duration_seconds AS "durationSeconds", m.units AS minutes, c.delivery_reason AS reason
    FROM tts_calls c JOIN tts_batches b ON b.batch_id = c.batch_id JOIN messages m ON m.message_id = c.message_id`;

/** Checks that each call that a carrier took matches its batch, and has the duration that the carrier reported. */
export async function checkCalls(
  database: Database,
  { carriers }: Surroundings,
  restoredAt: number | undefined,
): Promise<void> {
  for (const row of await database.all<CallRow>(calls)) {
    const { messageId, durationSeconds, minutes, reason, ...asked } = row;
    const taken = carriers.VOICE.taken.get(messageId);
    if (taken === undefined) continue;
    const { submission } = taken;
    requireSame("a carrier is given what was asked for", messageId, asked, pick(submission, Object.keys(asked)));
    const end = toldSince(restoredAt, taken).find((event) => event.kind === "call" && event.report.stage === "ENDED");
    // an end reported after 72 hours changes the message, but not the call
    if (end?.kind !== "call" || end.report.stage !== "ENDED" || reason === UNTOLD) continue;
    const { outcome, durationSeconds: answered } = end.report;
    const isAnswered = endOf(outcome).callStatus === "COMPLETED";
    const told = { durationSeconds: isAnswered ? answered : 0, minutes: isAnswered ? chargedMinutes(answered) : 0 };
    requireSame("a call is as long as its carrier said", messageId, told, { durationSeconds, minutes });
  }
}

/** Checks that no message is given up before it has been with its carrier for 72 hours. */
export async function checkPatience(database: Database): Promise<void> {
  const givenUp = await database.all<{ messageId: string; ms: number }>(
    `SELECT m.message_id AS "messageId", COALESCE(c.completed_at, m.updated_at) - m.taken_at AS ms
       FROM messages m LEFT JOIN tts_calls c ON c.message_id = m.message_id
      WHERE m.taken_at IS NOT NULL AND (m.status = 'UNKNOWN' OR c.delivery_reason = '${UNTOLD}')`,
  );
  for (const { messageId, ms } of givenUp) {
    if (ms >= PATIENCE_MS - CLOCKS_DIFFER_MS) continue;
    throw new Violation("no message is given up within 72 hours", `${messageId} was given up after ${ms} ms`);
  }
}

/** States of the messages in the database, by message id. */
type Statuses = ReadonlyMap<string, { readonly status: string; readonly providerMessageId?: string | null }>;

/** Checks that each message is in the final state that its carrier reported and an instance acknowledged. */
export function checkReceipts(statuses: Statuses, { carriers }: Surroundings, restoredAt: number | undefined): void {
  for (const { taken: ofCarrier } of Object.values(carriers)) {
    for (const [messageId, taken] of ofCarrier) {
      // if the restored backup lacks a confirmation, the reply is confirmed again, and the state is that of the second one
      if (restoredAt !== undefined && taken.submission.automatic) continue;
      const message = statuses.get(messageId);
      for (const event of toldSince(restoredAt, taken)) {
        const told = endTold(event);
        // the restored backup may lack the message
        if (told === undefined || message === undefined || message.status === told) continue;
        throw new Violation(
          "what a carrier told is on record",
          `${messageId} is ${message.status}, but its carrier reported ${told}`,
        );
      }
    }
  }
}

/**
 * Checks that no message is given up if its carrier accepted it, tells what became of accepted messages, and knows the end.
 * Excludes carriers that an operator removed, or that nobody can reach any more.
 */
export function checkReviews(statuses: Statuses, { carriers }: Surroundings, { unhealed, acts }: Plan): void {
  for (const [channel, { plan, taken: ofCarrier }] of Object.entries(carriers)) {
    const isRemoved = acts.some((act) => act.kind === "removal" && act.of === channel);
    if (plan.isReviewed !== true || isRemoved || unhealed.some((of) => of === channel)) continue;
    for (const [messageId, { events }] of ofCarrier) {
      const message = statuses.get(messageId);
      if (message?.status !== "UNKNOWN" || (message.providerMessageId ?? null) === null) continue;
      const end = events.find(({ attempts, event }) => attempts > 0 && endTold(event) !== undefined);
      if (end === undefined) continue;
      throw new Violation("what a carrier knows is asked", `${messageId} is UNKNOWN, but its carrier knows its end`);
    }
  }
}

function endTold(event: ProviderEvent): string | undefined {
  if (event.kind === "receipt") return event.status === "SENT" ? undefined : event.status;
  if (event.kind !== "call" || event.report.stage !== "ENDED") return undefined;
  return endOf(event.report.outcome).finalStatus === "FAILED" ? "UNDELIVERED" : "DELIVERED";
}

interface OptOutRow {
  readonly merchantId: string;
  readonly channel: string;
  readonly contact: string;
}

/** Checks that each recipient who opted out by an acknowledged reply or complaint is on record as opted out. */
export async function checkOptOuts(
  database: Database,
  statuses: Statuses,
  { carriers }: Surroundings,
  restoredAt: number | undefined,
): Promise<void> {
  const rows = await database.all<OptOutRow>(
    `SELECT merchant_id AS "merchantId", channel, contact FROM consent_history WHERE status = 'OPT_OUT'`,
  );
  const kept = new Set(rows.map(({ merchantId, channel, contact }) => `${merchantId} ${channel} ${contact}`));
  for (const carrier of Object.values(carriers)) {
    for (const [messageId, taken] of carrier.taken) {
      // the restored backup may lack the message
      if (!statuses.has(messageId)) continue;
      const { merchantId, channel, to } = taken.submission;
      const event = toldSince(restoredAt, taken).find(
        (one) =>
          one.kind === "opt-out" ||
          (one.kind === "reply" && one.text === "STOP") ||
          // the restored backup may contain the message, but lack its recipient
          (restoredAt === undefined && one.kind === "inbound" && one.text === "STOP"),
      );
      if (event === undefined || kept.has(`${merchantId} ${channel} ${to}`)) continue;
      throw new Violation("an acknowledged opt-out is on record", `${event.eventId} of ${to} from ${merchantId}`);
    }
  }
}

function toldSince(restoredAt = 0, { events }: Taken): ProviderEvent[] {
  return events.flatMap(({ event, acknowledgedAt = 0 }) => (acknowledgedAt > restoredAt ? [event] : []));
}

function pick(from: object, names: readonly string[]): Body {
  return Object.fromEntries(names.map((name) => [name, (from as Body)[name]]));
}

function requireSame(invariant: string, what: string, expected: Body, found: Body): void {
  for (const [name, value] of Object.entries(expected)) {
    if (found[name] === value) continue;
    throw new Violation(invariant, `${what}: ${name} is ${found[name]}, but should be ${value}`);
  }
}
