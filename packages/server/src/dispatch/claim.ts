// Takes what is due. A submission is committed as under way before its provider hears of it: after a crash the
// message is then known to be in doubt, and is asked about, never blindly sent again.

import { readRegistration } from "../operations/registration.ts";
import { type ConsentPolicy, decideConsent } from "../rules/consent.ts";
import type { DeliveryReason } from "../rules/delivery.ts";
import { findRegistrationGap, type RegistrationPolicy } from "../rules/readiness.ts";
import { move } from "../rules/transitions.ts";
import { type CallLeg, findCallLeg } from "../store/calls.ts";
import { findConsentStatus } from "../store/consents.ts";
import type { Channel } from "../store/merchants.ts";
import { saveAttempt } from "../store/message-progress.ts";
import {
  findNextDue,
  leaseOutbox,
  listDue,
  type OutboxRow,
  type OutboxState,
  removeFromOutbox,
} from "../store/outbox.ts";
import { type Moment, markFiltered, markNotTaken, markUnknown } from "./progress.ts";

/** How long a message is looked after: before its first submission, and again from then on. */
const PATIENCE_MS = 72 * 60 * 60 * 1_000;

/** What is to be done with a leased message, outside of any transaction. */
export interface Task {
  readonly kind: "submit" | "find";
  readonly message: OutboxRow;
  /** How a number is to be called. */
  readonly call: CallLeg | undefined;
  readonly token: string;
  readonly leaseExpiresAt: number;
  readonly giveUpAt: number;
}

export interface Claim {
  readonly tasks: Task[];
  /** How many rows were due and looked at; as many as asked for when there may be more. */
  readonly looked: number;
  /** Since when the first of them had been due. */
  readonly oldestDueAt: number | undefined;
  /** When the next row falls due, those leased here included. */
  readonly nextDueAt: number | undefined;
}

export interface ClaimContext extends Moment {
  /** Names the claim: whoever records an outcome shows it. */
  readonly token: string;
  readonly leaseMs: number;
  readonly consentPolicy: ConsentPolicy;
  readonly registration: RegistrationPolicy;
  /** The provider that carries the channel, by its name. */
  readonly providerNameOf: (channel: Channel) => string | undefined;
}

/** What the messages of one claim share. */
interface Claiming extends ClaimContext {
  /** By merchant, whether carriers would filter its messages: what that takes to be read grows with its registration. */
  readonly unregistered: Map<string, boolean>;
}

/** Leases up to `limit` due messages, and ends those whose time is over or that may no longer be sent. */
export async function claimDue(context: ClaimContext, limit: number): Promise<Claim> {
  const rows = await listDue(context.tx, context.now, limit);
  const claiming: Claiming = { ...context, unregistered: new Map() };
  const tasks: Task[] = [];
  for (const row of rows) {
    const task = await (isOpen(row) ? steps[row.state](claiming, row) : forget(context, row));
    if (task !== undefined) tasks.push(task);
  }
  const nextDueAt = await findNextDue(context.tx);
  return { tasks, looked: rows.length, oldestDueAt: rows[0]?.dueAt, nextDueAt };
}

const steps: Record<OutboxState, (context: Claiming, row: OutboxRow) => Promise<Task | undefined>> = {
  ready: beginSubmission,
  // its lease has expired, so whoever held it is gone, perhaps after the provider took the message
  submitting: beginFind,
  reconciling: beginFind,
  awaiting: giveUp,
};

/** Whether dispatch can still move the message. */
function isOpen({ status }: OutboxRow): boolean {
  return status === "QUEUED" || status === "SENDING" || status === "SENT";
}

/** Something else ended the message, and left its row. */
async function forget({ tx }: ClaimContext, { messageId }: OutboxRow): Promise<undefined> {
  await removeFromOutbox(tx, messageId);
}

async function beginSubmission(context: Claiming, row: OutboxRow): Promise<Task | undefined> {
  const { tx, now } = context;
  if (now >= (row.giveUpAt ?? row.createdAt + PATIENCE_MS)) {
    return end(context, row, row.status === "QUEUED" ? "EXPIRED" : "FAILED", "TTL_EXPIRED");
  }
  const objection = await findObjection(context, row);
  if (objection !== undefined) return end(context, row, "FAILED", objection);
  if (await isUnregistered(context, row)) {
    await markFiltered(context, row, "UNREGISTERED_SENDER");
    await removeFromOutbox(tx, row.messageId);
    return undefined;
  }
  const provider = context.providerNameOf(row.channel);
  if (provider === undefined) return end(context, row, "FAILED", "CARRIER_UNKNOWN");
  // a second attempt finds it SENDING already
  const status = row.status === "SENDING" ? row.status : move("message", row.status, "SENDING");
  await saveAttempt(tx, { messageId: row.messageId, status, provider, now });
  return lease(context, { ...row, status }, "submitting", row.giveUpAt ?? now + PATIENCE_MS);
}

/** Consent may have been withdrawn since the message was accepted. A confirmation answers the recipient's own words. */
async function findObjection(context: ClaimContext, row: OutboxRow): Promise<DeliveryReason | undefined> {
  if (row.purpose === "CONFIRMATION") return undefined;
  const { tenantId, merchantId, channel, type, recipient: contact } = row;
  const status = await findConsentStatus(context.tx, { tenantId, merchantId, channel, contact });
  const decision = decideConsent({ policy: context.consentPolicy, channel, type, status });
  if (decision === "allowed") return undefined;
  return decision === "consent_opted_out" ? "OPTED_OUT" : "BLOCKED";
}

/** Whether carriers would filter the message, where the operator has them simulated so strictly. */
async function isUnregistered({ tx, registration, unregistered }: Claiming, row: OutboxRow): Promise<boolean> {
  if (registration === "open" || row.channel !== "SMS") return false;
  const { tenantId, merchantId } = row;
  const sender = `${tenantId} ${merchantId}`;
  const known = unregistered.get(sender);
  if (known !== undefined) return known;
  const isMissing = findRegistrationGap(await readRegistration(tx, tenantId, merchantId)) !== undefined;
  unregistered.set(sender, isMissing);
  return isMissing;
}

async function beginFind(context: ClaimContext, row: OutboxRow): Promise<Task | undefined> {
  const giveUpAt = row.giveUpAt ?? context.now;
  return context.now >= giveUpAt ? giveUp(context, row) : lease(context, row, "reconciling", giveUpAt);
}

async function giveUp(context: ClaimContext, row: OutboxRow): Promise<undefined> {
  await markUnknown(context, row);
  await removeFromOutbox(context.tx, row.messageId);
}

async function end(
  context: ClaimContext,
  row: OutboxRow,
  status: "FAILED" | "EXPIRED",
  reason: DeliveryReason,
): Promise<undefined> {
  await markNotTaken(context, row, status, reason);
  await removeFromOutbox(context.tx, row.messageId);
}

async function lease(
  { tx, token, now, leaseMs }: ClaimContext,
  message: OutboxRow,
  state: "submitting" | "reconciling",
  giveUpAt: number,
): Promise<Task> {
  const leaseExpiresAt = now + leaseMs;
  const { messageId, tenantId, createdAt: acceptedAt } = message;
  await leaseOutbox(tx, { messageId, tenantId, acceptedAt, state, token, expiresAt: leaseExpiresAt, giveUpAt });
  const call = message.channel === "VOICE" ? await findCallLeg(tx, message.messageId) : undefined;
  return { kind: state === "submitting" ? "submit" : "find", message, call, token, leaseExpiresAt, giveUpAt };
}
