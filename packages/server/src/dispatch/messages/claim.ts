// What a claim takes, and to whom it goes. A submission is committed as in flight before its provider hears of it: after a crash
// the message is known to be in doubt, and is asked about, never blindly sent again. Messages to be asked about first enter a
// queue of their own, so that they are claimed apart from those to be sent.

import { reached } from "../../platform/probes.ts";
import {
  type DeliveryReason,
  expiryOf,
  extendPatience,
  listenUntil,
  messageClasses,
  PATIENCE_MS,
} from "../../rules/messages.ts";
import { move } from "../../rules/transitions.ts";
import { type CallChanges, collectChanges, concludeChanges } from "../../steps/call-progress.ts";
import { allEnded, inLockOrder } from "../../store/batching.ts";
import { type CallLeg, findCallLeg } from "../../store/calls.ts";
import { enterLine, type LinePlace, lineWithoutCarrier, NO_CLASS } from "../../store/carrier-lines.ts";
import { findLastProvider, quotaKeyOf, saveSending, tryHoldMessage } from "../../store/message-progress.ts";
import { endDoubts, forgetDoubts } from "../../store/message-rows.ts";
import { findLongContent } from "../../store/messages.ts";
import {
  awaitReceipt,
  findNextDue,
  findNextQuestionDue,
  leaseQuestion,
  leaseSubmissions,
  listDue,
  listDueQuestions,
  type OutboxRow,
  type OutboxState,
  queueAgain,
  removeFromOutbox,
} from "../../store/outbox.ts";
import type { QueueLook } from "../../store/queue/queue.ts";
import { findSender, noteTextContacts, type TextContact } from "../../store/text-lines.ts";
import type { Carriers } from "../carriers/carriers.ts";
import type { Claim, LeaseEnd } from "../lease-loop.ts";
import type { Provider } from "../providers/provider.ts";
import {
  findCallableTime,
  findObjection,
  isUnregistered,
  keepWords,
  markFiltered,
  markNotTaken,
  markUnknown,
  type ObjectionContext,
} from "./progress.ts";

/** Long content that one claim reads. */
const LARGEST_CLAIM_BYTES = 1_048_576;

/** In the place of a carrier's words. */
const DISCARDED = "discarded by the operator: msgd carriers remove --discard";
/** When it is looked again whether somebody can be asked about a message in doubt. */
const NOBODY_ASKED_MS = 10 * 60_000;

/** Work on a leased message, outside any transaction. */
export type Task = Question | (Leased & Submit);

type Question = Leased & { readonly kind: "find" };

interface Submit {
  readonly kind: "submit";
  /** How to place the call. */
  readonly call: CallLeg | undefined;
  readonly content: string;
  /** The sender of a text; undefined for another channel, or if the carrier chooses it. */
  readonly sender: string | undefined;
  /** When it is too late for the message to arrive, in epoch milliseconds. */
  readonly expiresAt: number;
}

interface Leased extends LeaseEnd {
  readonly message: OutboxRow;
  readonly token: string;
  readonly giveUpAt: number;
  /** The name of the provider that is given the message, or was. */
  readonly provider: string;
}

/** Effects of a claim that others are told of once it is committed. */
export interface LeftToOthers {
  /** The carriers whose lines messages have entered. */
  readonly entered: ReadonlySet<string>;
  /** The kinds of claims that messages were queued for. */
  readonly queued: ReadonlySet<Task["kind"]>;
  /** Whether callbacks are to be sent. */
  readonly hasCallbacks: boolean;
}

export interface MessageClaim extends Claim<Task>, LeftToOthers {
  /** How many rows were due and looked at. */
  readonly looked: number;
  /** When the one of them fell due that has waited longest. */
  readonly oldestDueAt: number | undefined;
}

export interface ClaimContext extends ObjectionContext {
  /** Identifies the claim; required to record an outcome. */
  readonly token: string;
  /** What `Clock.elapsed` gave when the claim began. */
  readonly elapsed: number;
  readonly leaseMs: number;
  readonly carriers: Pick<Carriers, "of" | "traitsOf" | "isCurrent" | "isDisabled" | "discards" | "noteMissing">;
  /** How late after its acceptance a one-time password may still be handed over, in milliseconds. */
  readonly otpValidityMs: number;
  /** How long a provider may take that does not say how long itself. */
  readonly callTimeoutMs: number;
  /** Since when this process has recorded what providers report, in epoch milliseconds. */
  readonly listeningSince: number;
}

/** Told of the rows that a claim looks at, before it changes anything. */
export type NoteLooked = (rows: readonly OutboxRow[]) => void;

/** Where a claim looks for what is due. */
export interface DueLook {
  readonly kind: Task["kind"];
  /** The most that is claimed. */
  readonly limit: number;
  readonly look: QueueLook;
  /** When the next claim is at the latest, whatever falls due after, in epoch milliseconds. @default never */
  readonly nextLookAt?: number | undefined;
  /** Told of the rows that are claimed, before anything is changed. */
  readonly noteLooked?: NoteLooked | undefined;
}

/** A claim in progress. */
interface Claiming extends ClaimContext {
  readonly changes: CallChanges;
  /**
   * Messages to be ended, one after the other once all rows were looked at: two of one quota at once would each act on
   * what the other is about to change.
   */
  readonly endings: { readonly row: OutboxRow; readonly end: () => Promise<void> }[];
  readonly entered: Set<string>;
  readonly queued: Set<Task["kind"]>;
}

/** Carriers were set or removed since this process looked at them: nothing may be claimed before it has. */
export class CarriersChanged extends Error {
  override readonly name = "CarriersChanged";
}

/**
 * Leases up to `limit` due messages of a kind: to submit, or to ask about; fewer if they are long. Ends those that have
 * expired or may no longer be sent, and queues a question for those that turn out to be in doubt. Throws `CarriersChanged` if
 * one of them may be of a carrier that is not known yet.
 */
export async function claimDue(
  context: ClaimContext,
  { kind, limit, look, noteLooked, nextLookAt: until = Number.MAX_SAFE_INTEGER }: DueLook,
): Promise<MessageClaim> {
  const queue = queues[kind];
  const { tx, now } = context;
  const findNext = () => queue.findNext(tx, { now, look, until });
  // before anything is changed: what is undone again would be missed
  const [due, isCurrent] = await Promise.all([
    queue.list(tx, { now, limit, look }),
    // asked for once these are listed: what was accepted after a change sees the change
    kind === "find" || context.carriers.isCurrent(tx),
    look.raise(tx),
  ]);
  if (due.length === 0)
    return { ...tookNothing, isMoreDue: false, oldestDueAt: undefined, nextDueAt: await findNext() };
  if (!isCurrent) throw new CarriersChanged("carriers were set or removed");
  const rows = due.slice(0, countLight(due));
  noteLooked?.(rows);
  const taken = await takeRows(context, rows, (claiming, row) =>
    isOpen(row) ? actions[row.state](claiming, row) : forget(claiming, row),
  );
  const isMoreDue = due.length === limit || rows.length < due.length;
  const nextDueAt = isMoreDue ? undefined : await findNext();
  const oldestDueAt = Math.min(...rows.map(({ dueAt }) => dueAt));
  return { ...taken, isMoreDue, oldestDueAt, nextDueAt };
}

/** Tasks and effects of the rows that a claim looked at. */
type Taken = LeftToOthers & Pick<MessageClaim, "tasks" | "looked">;

/** A claim that took nothing. */
export const tookNothing: Taken = { tasks: [], looked: 0, entered: new Set(), queued: new Set(), hasCallbacks: false };

/**
 * Looks at each row of a claim, leases the messages that a look cleared for submission, all at once, and ends those that are to be
 * ended, one after the other.
 */
export async function takeRows(
  context: ClaimContext,
  rows: readonly OutboxRow[],
  look: (claiming: Claiming, row: OutboxRow) => Promise<Question | Cleared | undefined>,
): Promise<Taken> {
  const claiming: Claiming = {
    changes: collectChanges(),
    endings: [],
    entered: new Set(),
    queued: new Set(),
    // last: in V8 of Node 20 an object that begins with a spread gets a hidden class of its own each time
    ...context,
  };
  const next = (await allEnded(rows.map((row) => look(claiming, row)))).filter((one) => one !== undefined);
  const questions = next.filter((one) => one.kind === "find");
  const cleared = next.filter((one) => one.kind === "cleared");
  const tasks = [...questions, ...(await leaseCleared(claiming, cleared))];
  const { entered, queued, endings } = claiming;
  for (const { end } of inLockOrder(endings, ({ row }) => quotaKeyOf(row))) await end();
  return { tasks, looked: rows.length, entered, queued, hasCallbacks: await concludeChanges(claiming) };
}

/** The kind of the claims that look at messages in a state. */
export function kindOf(state: OutboxState): Task["kind"] {
  return state === "reconciling" ? "find" : "submit";
}

/** How many of the rows a claim has time for: one, and as many more as are not too long together. */
export function countLight(rows: readonly OutboxRow[]): number {
  let bytes = 0;
  const end = rows.findIndex(({ longBytes }, index) => {
    bytes += longBytes ?? 0;
    return index > 0 && bytes > LARGEST_CLAIM_BYTES;
  });
  return end === -1 ? rows.length : end;
}

/** Where the messages of each kind of claim fall due. */
const queues: Record<Task["kind"], { list: typeof listDue; findNext: typeof findNextDue }> = {
  submit: { list: listDue, findNext: findNextDue },
  find: { list: listDueQuestions, findNext: findNextQuestionDue },
};

/** Acts on a due message, by the state that it waits in. */
const actions: Record<OutboxState, (context: Claiming, row: OutboxRow) => Promise<Question | Cleared | undefined>> = {
  // it falls due when it expires
  waiting: expire,
  ready: giveToCarrier,
  // its lease has expired, so its holder is gone, perhaps after the provider took the message
  submitting: askOrTryAgain,
  "handed-over": askLater,
  reconciling: beginFind,
  awaiting: awaitNoMore,
};

/** Whether dispatch can still move the message. */
function isOpen({ status }: OutboxRow): boolean {
  return status === "QUEUED" || status === "SENDING" || status === "SENT";
}

/** Removes the row of a message that something else ended. */
async function forget({ tx }: Claiming, row: OutboxRow): Promise<undefined> {
  await removeFromOutbox(tx, row);
}

/** Clears a message for submission, or has it wait in its carrier's line. */
async function giveToCarrier(context: Claiming, row: OutboxRow): Promise<Cleared | undefined> {
  const carrier = await findCarrier(context, row);
  const isDoubted = row.isDoubted === 1 && (await endDoubts(context.tx, row.messageId, carrier?.name));
  if (isDoubted) return askFirst(context, row, carrier?.name ?? null);
  if (context.carriers.discards(row)) {
    await keepWords(context, row, DISCARDED);
    return end(context, row, "FAILED", "CARRIER_UNKNOWN");
  }
  if (carrier === undefined) return waitForCarrier(context, row);
  if (carrier.capacity === undefined) return clear(context, row, carrier);
  return waitIn(context, row, { carrier: carrier.name, messageClass: messageClasses[row.type] });
}

/** Has a message wait until its tenant has a carrier. */
async function waitForCarrier(context: Claiming, row: OutboxRow): Promise<undefined> {
  reached("a message waits for a carrier that its tenant does not have");
  context.carriers.noteMissing(row.tenantId, row.channel);
  return waitIn(context, row, { carrier: lineWithoutCarrier(row.channel), messageClass: NO_CLASS });
}

async function waitIn(context: Claiming, row: OutboxRow, place: LinePlace): Promise<undefined> {
  const expiresAt = expiryOf(row, context.otpValidityMs);
  if (context.now >= expiresAt) return expire(context, row);
  await enterLine(context.tx, row, { ...place, expiresAt });
  context.entered.add(place.carrier);
}

async function expire(context: Claiming, row: OutboxRow): Promise<undefined> {
  reached("a message expired");
  return end(context, row, row.status === "QUEUED" ? "EXPIRED" : "FAILED", "TTL_EXPIRED");
}

/** A message that may be submitted now, and is not leased yet. */
interface Cleared {
  readonly kind: "cleared";
  readonly row: OutboxRow;
  readonly carrier: Provider;
  readonly sender: string | undefined;
  readonly expiresAt: number;
}

/** Finds out whether a message may be submitted to a carrier now. Ends it if it has expired or may no longer be sent. */
export async function clear(context: Claiming, row: OutboxRow, carrier: Provider): Promise<Cleared | undefined> {
  const { now } = context;
  const expiresAt = expiryOf(row, context.otpValidityMs);
  if (now >= expiresAt) return expire(context, row);
  const textSender = row.channel === "SMS" ? context.carriers.traitsOf(carrier.name).sender : undefined;
  const sender = textSender && (await findSender(context.tx, row, textSender));
  const objection = await findObjection(context, row, sender);
  if (objection !== undefined) {
    reached("a decision of the recipient overtook a message");
    return end(context, row, "FAILED", objection);
  }
  if (await isUnregistered(context, row)) {
    return endLater(context, row, () => markFiltered(context, row, "UNREGISTERED_SENDER"));
  }
  const callableAt = await findCallableTime(context, row, carrier);
  if (callableAt > now) {
    reached("a call waited in its line until the night");
    return queue(context, row, "ready", callableAt);
  }
  // a second attempt finds it SENDING already
  if (row.status !== "SENDING") move("message", row.status, "SENDING");
  return { kind: "cleared", row, carrier, sender, expiresAt };
}

/** Leases what was cleared, all at once; in the order in which it was claimed. */
async function leaseCleared(context: Claiming, cleared: readonly Cleared[]): Promise<Task[]> {
  const { tx, now, elapsed, token } = context;
  const leasings = cleared.map(({ row, carrier }) => {
    const { name: provider, callTimeoutMs = context.callTimeoutMs } = carrier;
    // outlasts this call by as much as it outlasts any
    const leaseMs = context.leaseMs - context.callTimeoutMs + callTimeoutMs;
    const ends = { expiresAt: now + leaseMs, elapsesAt: elapsed + leaseMs };
    return { row, provider, ...ends, giveUpAt: row.giveUpAt ?? now + PATIENCE_MS };
  });
  const messages = await leaseSubmissions(tx, leasings, { token, now });
  await noteTextContacts(tx, cleared.flatMap(toTextContact), now);
  const begin = async (leasing: (typeof leasings)[number], index: number): Promise<Task> => {
    const { provider, giveUpAt, expiresAt: leaseExpiresAt, elapsesAt: leaseElapsesAt } = leasing;
    const message = messages[index] as OutboxRow;
    const { expiresAt, sender } = cleared[index] as Cleared;
    const content = message.longBytes === null ? message.content : await findLongContent(tx, message.messageId);
    const call = message.channel === "VOICE" ? await findCallLeg(tx, message.messageId) : undefined;
    const lease = { token, leaseExpiresAt, leaseElapsesAt, giveUpAt };
    return { kind: "submit", message, call, ...lease, provider, content, sender, expiresAt };
  };
  return allEnded(leasings.map(begin));
}

function toTextContact({ row, sender }: Cleared): TextContact[] {
  const { recipient: phone, tenantId, merchantId, messageId } = row;
  return sender === undefined ? [] : [{ sender, phone, tenantId, merchantId, messageId }];
}

/** Returns undefined if there is none. A message that a real carrier put off is never given to the simulator. */
async function findCarrier({ tx, carriers }: ClaimContext, row: OutboxRow): Promise<Provider | undefined> {
  const carrier = await carriers.of(tx, row.tenantId, row.channel);
  if (carrier === undefined || row.attempts === 0 || carriers.traitsOf(carrier.name).handsOver) return carrier;
  const last = await findLastProvider(tx, row.messageId);
  return last !== undefined && carriers.traitsOf(last).handsOver ? undefined : carrier;
}

/**
 * The carrier may have had the message before the database was restored: it is asked, however old the message is; where there is
 * none (null), the next one that its tenant has.
 */
async function askFirst(context: Claiming, row: OutboxRow, provider: string | null): Promise<undefined> {
  const { tx, now } = context;
  reached("a message is in doubt since a restoration");
  await saveSending(tx, {
    messageId: row.messageId,
    status: move("message", row.status, "SENDING"),
    provider,
    now,
  });
  return askLater(context, row);
}

/** A provider that tells when a message leaves has not been given this one. */
async function askOrTryAgain(context: Claiming, row: OutboxRow): Promise<undefined> {
  // whoever holds the message records what came of it, and waits for its place in the queue
  if (row.openAttempt !== null && !(await tryHoldMessage(context.tx, row.messageId))) return undefined;
  const provider = row.openAttempt ?? (await findLastProvider(context.tx, row.messageId));
  const isKnownUnsent = provider !== undefined && context.carriers.traitsOf(provider).handsOver;
  reached(
    isKnownUnsent ? "a lease ran out before its message left" : "a lease ran out, and its message is asked about",
  );
  return queue(context, row, isKnownUnsent ? "ready" : "reconciling");
}

function askLater(context: Claiming, row: OutboxRow): Promise<undefined> {
  return queue(context, row, "reconciling");
}

/** Queues a message again. The due time that it keeps puts it ahead of most others. */
async function queue(
  { tx, now, queued }: Claiming,
  row: OutboxRow,
  state: "reconciling" | "ready",
  dueAt = row.dueAt,
): Promise<undefined> {
  await queueAgain(tx, row, { state, dueAt, giveUpAt: row.giveUpAt ?? now + PATIENCE_MS, now });
  queued.add(kindOf(state));
}

async function beginFind(context: Claiming, row: OutboxRow): Promise<Question | undefined> {
  const giveUpAt = extendPatience({ ...row, giveUpAt: row.giveUpAt ?? 0 }, context.now);
  if (context.now >= giveUpAt) return giveUp(context, row);
  const { tx, token, now, leaseMs } = context;
  const known = await findLastProvider(tx, row.messageId);
  const provider = known ?? (await findCarrier(context, row))?.name;
  if (provider === undefined) {
    reached("a message in doubt waits for somebody to ask");
    return queue(context, row, "reconciling", Math.min(giveUpAt, now + NOBODY_ASKED_MS));
  }
  // what it tells of the message, if it has it, is of this carrier's
  if (known === undefined) await saveSending(tx, { messageId: row.messageId, status: row.status, provider, now });
  const leaseExpiresAt = now + leaseMs;
  await leaseQuestion(tx, row, { token, expiresAt: leaseExpiresAt, giveUpAt });
  return {
    kind: "find",
    message: row,
    token,
    leaseExpiresAt,
    leaseElapsesAt: context.elapsed + leaseMs,
    giveUpAt,
    provider,
  };
}

/** Ends the wait for a receipt. If the carrier reports failures only, the message counts as arrived; any other is given up. */
async function awaitNoMore(context: Claiming, row: OutboxRow): Promise<undefined> {
  const { tx, now, listeningSince } = context;
  const heardUntil = listenUntil(listeningSince);
  if (now < heardUntil) {
    reached("a carrier is given time to tell what nobody heard");
    await awaitReceipt(tx, row, heardUntil);
    return undefined;
  }
  const provider = await findLastProvider(tx, row.messageId);
  if (provider === undefined || !context.carriers.traitsOf(provider).tellsOnlyFailures) return giveUp(context, row);
  await removeFromOutbox(tx, row);
}

async function giveUp(context: Claiming, row: OutboxRow): Promise<undefined> {
  reached("a message is given up");
  return endLater(context, row, () => markUnknown(context, row));
}

async function end(
  context: Claiming,
  row: OutboxRow,
  status: "FAILED" | "EXPIRED",
  reason: DeliveryReason,
): Promise<undefined> {
  if (row.isDoubted === 1) await forgetDoubts(context.tx, row.messageId);
  return endLater(context, row, () => markNotTaken(context, row, status, reason));
}

async function endLater({ tx, endings }: Claiming, row: OutboxRow, mark: () => Promise<void>): Promise<undefined> {
  const end = async () => {
    await mark();
    await removeFromOutbox(tx, row);
  };
  endings.push({ row, end });
}
