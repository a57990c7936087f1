// Claims due messages and chooses their carriers. A submission is committed as in flight before its provider gets it.
// After a crash, its message is in doubt: it is looked up at the provider, never blindly sent again. Look-ups
// (`Lookup`) have a separate queue.

import type { Carriers } from "../../carriers/carriers.ts";
import type { Provider } from "../../carriers/provider.ts";
import { type CallChanges, collectChanges, concludeChanges } from "../../domain/calls/progress.ts";
import { type CallLeg, findCallLeg } from "../../domain/calls/rows.ts";
import { enterQueue, NO_CLASS, type QueueKey, queueWithoutCarrier } from "../../domain/messages/carrier-queue-rows.ts";
import {
  findNextDue,
  findNextLookupDue,
  leaseLookup,
  leaseSubmissions,
  listDue,
  listDueLookups,
  type OutboxRow,
  type OutboxState,
  queueAgain,
  removeFromOutbox,
  setAside,
} from "../../domain/messages/outbox-rows.ts";
import {
  findLastProvider,
  findProviderMessageId,
  quotaKeyOf,
  saveSending,
  tryLockMessage,
} from "../../domain/messages/progress-rows.ts";
import { findLongContent } from "../../domain/messages/rows.ts";
import {
  type DeliveryReason,
  expiryOf,
  extendPatience,
  listenUntil,
  messageClasses,
  PATIENCE_MS,
} from "../../domain/messages/rules.ts";
import { findSuppression } from "../../domain/messages/suppression-rows.ts";
import { describeSuppression } from "../../domain/messages/suppressions.ts";
import { findSender, noteTextContacts, type TextContact } from "../../domain/messages/text-rows.ts";
import { findTextHours } from "../../domain/tenancy/rows.ts";
import { findTextHold, keepsTextHours } from "../../domain/text-hours.ts";
import { move } from "../../domain/transitions.ts";
import { reached } from "../../platform/probes.ts";
import { allEnded, inLockOrder } from "../../store/batching.ts";
import { endDoubts, forgetDoubts } from "../../store/queue/message-rows.ts";
import type { QueueScan } from "../../store/queue/queue.ts";
import type { Claim, LeaseEnd } from "../lease-loop.ts";
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
import { keyOf } from "./suppression.ts";

/** Maximum size of the long contents that one claim reads. */
const LARGEST_CLAIM_BYTES = 1_048_576;

/** Stored as the explanation in place of a carrier's. */
const DISCARDED = "discarded by the operator: msgd carriers remove --discard";
/** Pause before looking again for a carrier that can be asked about a message in doubt. */
const NOBODY_ASKED_MS = 10 * 60_000;

/** Work on a leased message, outside any transaction. */
export type Task = Lookup | (Leased & Submit);

type Lookup = Leased & {
  readonly kind: "find";
  /** The provider's id of a message that it accepted, and whose final receipt is outstanding; otherwise null. */
  readonly accepted: string | null;
};

interface Submit {
  readonly kind: "submit";
  /** Terms of a call. Undefined for other channels. */
  readonly call: CallLeg | undefined;
  readonly content: string;
  /** Sender of a text. Undefined for other channels, or if the carrier chooses the sender. */
  readonly sender: string | undefined;
  /** See `Submission.textNumber`. */
  readonly textNumber: number | undefined;
  /** Time after which the message would be too late, in epoch milliseconds. */
  readonly expiresAt: number;
}

interface Leased extends LeaseEnd {
  readonly message: OutboxRow;
  readonly token: string;
  readonly giveUpAt: number;
  /** Name of the provider that gets the message or got it. */
  readonly provider: string;
}

/** Effects of a claim. After the claim's commit, other workers are notified of them. */
export interface LeftToOthers {
  /** Carriers whose queues messages have entered. */
  readonly entered: ReadonlySet<string>;
  /** Kinds of claims for which messages were queued. */
  readonly queued: ReadonlySet<Task["kind"]>;
  /** Whether there are callbacks to send. */
  readonly hasCallbacks: boolean;
}

export interface MessageClaim extends Claim<Task>, LeftToOthers {
  /** Number of due rows that the claim checked. */
  readonly examined: number;
  /** Earliest due time of these rows. */
  readonly oldestDueAt: number | undefined;
}

export interface ClaimContext extends ObjectionContext {
  /** Identifies the claim. Needed to record an outcome. */
  readonly token: string;
  /** `Clock.elapsed` when the claim began. */
  readonly elapsed: number;
  readonly leaseMs: number;
  readonly carriers: Pick<Carriers, "of" | "traitsOf" | "isCurrent" | "isDisabled" | "discards" | "noteMissing">;
  /** Time after acceptance within which a one-time password may be handed over, in milliseconds. */
  readonly otpValidityMs: number;
  /** Timeout of a provider's call if the provider sets none, in milliseconds. */
  readonly callTimeoutMs: number;
  /** Time since which this process has been recording reports of providers, in epoch milliseconds. */
  readonly listeningSince: number;
}

/** Called with the rows of a claim before the claim changes anything. */
export type NoteExamined = (rows: readonly OutboxRow[]) => void;

/** The kind of messages to claim, and the limits of the claim. */
export interface DueClaimOptions {
  readonly kind: Task["kind"];
  /** Maximum number of messages to claim. */
  readonly limit: number;
  readonly scan: QueueScan;
  /** Latest time of the next claim, in epoch milliseconds. @default never */
  readonly nextClaimBy?: number | undefined;
  readonly noteExamined?: NoteExamined | undefined;
}

/** A claim in progress. */
interface Claiming extends ClaimContext {
  readonly changes: CallChanges;
  /**
   * Messages to end. They are ended one after another: if two messages of the same quota ended concurrently, each would
   * work with outdated usage.
   */
  readonly endings: { readonly row: OutboxRow; readonly end: () => Promise<void> }[];
  readonly entered: Set<string>;
  readonly queued: Set<Task["kind"]>;
  /** Text hours by tenant, read once in a claim. */
  readonly textHours: Map<number, Promise<string | null>>;
}

/** Thrown if carriers were set or removed since this process read them. The process must read them again, then claim. */
export class CarriersChanged extends Error {
  override readonly name = "CarriersChanged";
}

/**
 * Leases up to `limit` due messages of a kind, or fewer if they are long. Ends messages that have expired or may no
 * longer be sent, and queues a look-up for those in doubt. Throws `CarriersChanged` if a message may belong to a
 * carrier that this process does not know yet.
 */
export async function claimDue(
  context: ClaimContext,
  { kind, limit, scan, noteExamined, nextClaimBy: until = Number.MAX_SAFE_INTEGER }: DueClaimOptions,
): Promise<MessageClaim> {
  const queue = queues[kind];
  const { tx, now } = context;
  const findNext = () => queue.findNext(tx, { now, scan, until });
  // check the carriers before changing anything, so that `CarriersChanged` never rolls back changes
  const [due, isCurrent] = await Promise.all([
    queue.list(tx, { now, limit, scan }),
    // read after the list, so that it includes every change made before a listed message was accepted
    kind === "find" || context.carriers.isCurrent(tx),
    scan.raise(tx),
  ]);
  if (due.length === 0)
    return { ...tookNothing, isMoreDue: false, oldestDueAt: undefined, nextDueAt: await findNext() };
  if (!isCurrent) throw new CarriersChanged("carriers were set or removed");
  const rows = due.slice(0, countLight(due));
  noteExamined?.(rows);
  const taken = await takeRows(context, rows, (claiming, row) =>
    isOpen(row) ? actions[row.state](claiming, row) : forget(claiming, row),
  );
  const isMoreDue = due.length === limit || rows.length < due.length;
  const nextDueAt = isMoreDue ? undefined : await findNext();
  const oldestDueAt = Math.min(...rows.map(({ dueAt }) => dueAt));
  return { ...taken, isMoreDue, oldestDueAt, nextDueAt };
}

/** Tasks and effects of the rows that a claim checked. */
type Taken = LeftToOthers & Pick<MessageClaim, "tasks" | "examined">;

/** Result of a claim that took nothing. */
export const tookNothing: Taken = {
  tasks: [],
  examined: 0,
  entered: new Set(),
  queued: new Set(),
  hasCallbacks: false,
};

/** Checks each row of a claim with `check`, leases the messages cleared for submission, and ends those that must end. */
export async function takeRows(
  context: ClaimContext,
  rows: readonly OutboxRow[],
  check: (claiming: Claiming, row: OutboxRow) => Promise<Lookup | Cleared | undefined>,
): Promise<Taken> {
  const claiming: Claiming = {
    changes: collectChanges(),
    endings: [],
    entered: new Set(),
    queued: new Set(),
    textHours: new Map(),
    // spread last: in V8 of Node 20, each object that begins with a spread gets its own hidden class
    ...context,
  };
  const next = (await allEnded(rows.map((row) => check(claiming, row)))).filter((one) => one !== undefined);
  const lookups = next.filter((one) => one.kind === "find");
  const cleared = next.filter((one) => one.kind === "cleared");
  const tasks = [...lookups, ...(await leaseCleared(claiming, cleared))];
  const { entered, queued, endings } = claiming;
  for (const { end } of inLockOrder(endings, ({ row }) => quotaKeyOf(row))) await end();
  return { tasks, examined: rows.length, entered, queued, hasCallbacks: await concludeChanges(claiming) };
}

/** Returns the kind of claim that handles messages in a state. */
export function kindOf(state: OutboxState): Task["kind"] {
  return state === "reconciling" ? "find" : "submit";
}

/** Returns how many of the rows fit into one claim: at least one, and more while their total size is small enough. */
export function countLight(rows: readonly OutboxRow[]): number {
  let bytes = 0;
  const end = rows.findIndex(({ longBytes }, index) => {
    bytes += longBytes ?? 0;
    return index > 0 && bytes > LARGEST_CLAIM_BYTES;
  });
  return end === -1 ? rows.length : end;
}

/** The due queue of each kind of claim. */
const queues: Record<Task["kind"], { list: typeof listDue; findNext: typeof findNextDue }> = {
  submit: { list: listDue, findNext: findNextDue },
  find: { list: listDueLookups, findNext: findNextLookupDue },
};

/** Handling of a due message, by its state. */
const actions: Record<OutboxState, (context: Claiming, row: OutboxRow) => Promise<Lookup | Cleared | undefined>> = {
  // a waiting message falls due when it expires
  waiting: expire,
  ready: giveToCarrier,
  // the lease has expired, so its holder is gone, perhaps after the provider accepted the message
  submitting: askOrTryAgain,
  "handed-over": askLater,
  reconciling: beginFind,
  awaiting: reviewOrEnd,
};

/** Returns whether the message is still open, so that dispatch can move it. */
function isOpen({ status }: OutboxRow): boolean {
  return status === "QUEUED" || status === "SENDING" || status === "SENT";
}

/** Removes the row of a message that was ended elsewhere. */
async function forget({ tx }: Claiming, row: OutboxRow): Promise<undefined> {
  await removeFromOutbox(tx, row);
}

/** Clears a message for submission, or puts it into its carrier's queue. */
async function giveToCarrier(context: Claiming, row: OutboxRow): Promise<Cleared | undefined> {
  const carrier = await findCarrier(context, row);
  const isDoubted = row.isDoubted === 1 && (await endDoubts(context.tx, row.messageId, carrier?.name));
  if (isDoubted) return askFirst(context, row, carrier?.name ?? null);
  if (context.carriers.discards(row)) {
    await keepWords(context, row, DISCARDED);
    return end(context, row, "FAILED", "CARRIER_UNKNOWN");
  }
  if (carrier === undefined) {
    reached("a message waits for a carrier that its tenant does not have");
    context.carriers.noteMissing(row.tenantId, row.channel);
    return waitIn(context, row, { carrier: queueWithoutCarrier(row.channel), messageClass: NO_CLASS });
  }
  if (carrier.capacity === undefined) return clear(context, row, carrier);
  const heldUntil = await findTextingTime(context, row);
  if (heldUntil > context.now) return hold(context, row, heldUntil);
  return waitIn(context, row, { carrier: carrier.name, messageClass: messageClasses[row.type] });
}

async function waitIn(context: Claiming, row: OutboxRow, key: QueueKey): Promise<undefined> {
  const expiresAt = expiryOf(row, context.otpValidityMs);
  if (context.now >= expiresAt) return expire(context, row);
  await enterQueue(context.tx, row, { ...key, expiresAt });
  context.entered.add(key.carrier);
}

async function expire(context: Claiming, row: OutboxRow): Promise<undefined> {
  reached("a message expired");
  return end(context, row, row.status === "QUEUED" ? "EXPIRED" : "FAILED", "TTL_EXPIRED");
}

/** A message that may be submitted now, but is not leased yet. */
interface Cleared {
  readonly kind: "cleared";
  readonly row: OutboxRow;
  readonly carrier: Provider;
  readonly sender: string | undefined;
  readonly expiresAt: number;
}

/** Checks whether a message may be submitted to a carrier now. Ends it if it has expired or may no longer be sent. */
export async function clear(context: Claiming, row: OutboxRow, carrier: Provider): Promise<Cleared | undefined> {
  const { now } = context;
  const expiresAt = expiryOf(row, context.otpValidityMs);
  if (now >= expiresAt) return expire(context, row);
  const textSender = row.channel === "SMS" ? context.carriers.traitsOf(carrier.name).sender : undefined;
  const sender = textSender && (await findSender(context.tx, row, textSender));
  const objection = await findObjection(context, row, sender);
  if (objection !== undefined) {
    reached("a message may no longer be sent");
    return end(context, row, "FAILED", objection);
  }
  const suppression = row.hasBounced === 1 ? await findSuppression(context.tx, keyOf(row), now) : undefined;
  if (suppression !== undefined) {
    context.tx.note({ kind: "suppressed", channel: row.channel });
    await keepWords(context, row, describeSuppression(suppression));
    return end(context, row, "FAILED", suppression.reason);
  }
  if (await isUnregistered(context, row)) {
    return endLater(context, row, () => markFiltered(context, row, "UNREGISTERED_SENDER"));
  }
  const textableAt = await findTextingTime(context, row);
  if (textableAt > now) return hold(context, row, textableAt);
  const callableAt = await findCallableTime(context, row, carrier);
  if (callableAt > now) {
    reached("a call waited in its carrier's queue until quiet hours");
    return queue(context, row, "ready", callableAt);
  }
  // on a second attempt, the message is already SENDING
  if (row.status !== "SENDING") move("message", row.status, "SENDING");
  return { kind: "cleared", row, carrier, sender, expiresAt };
}

/** Returns when a text may be sent: now, or when its tenant's hours begin at the recipient. */
async function findTextingTime({ tx, now, textHours }: Claiming, row: OutboxRow): Promise<number> {
  if (!keepsTextHours(row)) return now;
  const { tenantId } = row;
  const setting = textHours.get(tenantId) ?? findTextHours(tx, tenantId);
  textHours.set(tenantId, setting);
  return findTextHold(await setting, row.recipient, now)?.until ?? now;
}

/** Holds a message until a time, or until it expires. Then it is checked again. */
async function hold(context: Claiming, row: OutboxRow, until: number): Promise<undefined> {
  const { tx, now, otpValidityMs, queued } = context;
  const expiresAt = expiryOf(row, otpValidityMs);
  if (now >= expiresAt) return expire(context, row);
  reached("a text was held until its tenant's hours");
  const dueAt = Math.min(until, expiresAt);
  await setAside(tx, row, { now, dueAt, giveUpAt: row.giveUpAt ?? now + PATIENCE_MS });
  queued.add("submit");
}

/** Leases all cleared messages together, in the order in which they were claimed. */
async function leaseCleared(context: Claiming, cleared: readonly Cleared[]): Promise<Task[]> {
  const { tx, now, elapsed, token } = context;
  const leasings = cleared.map(({ row, carrier }) => {
    const { name: provider, callTimeoutMs = context.callTimeoutMs } = carrier;
    // the lease exceeds this carrier's timeout by the same margin as the default lease exceeds the default timeout
    const leaseMs = context.leaseMs - context.callTimeoutMs + callTimeoutMs;
    const ends = { expiresAt: now + leaseMs, elapsesAt: elapsed + leaseMs };
    return { row, provider, ...ends, giveUpAt: row.giveUpAt ?? now + PATIENCE_MS };
  });
  const messages = await leaseSubmissions(tx, leasings, { token, now });
  const textNumbers = await noteTextContacts(tx, cleared.flatMap(toTextContact), now);
  const begin = async (leasing: (typeof leasings)[number], index: number): Promise<Task> => {
    const { provider, giveUpAt, expiresAt: leaseExpiresAt, elapsesAt: leaseElapsesAt } = leasing;
    const message = messages[index] as OutboxRow;
    const { expiresAt, sender } = cleared[index] as Cleared;
    const content = message.longBytes === null ? message.content : await findLongContent(tx, message.messageId);
    const call = message.channel === "VOICE" ? await findCallLeg(tx, message.messageId) : undefined;
    const lease = { token, leaseExpiresAt, leaseElapsesAt, giveUpAt };
    const textNumber = textNumbers.get(message.messageId);
    return { kind: "submit", message, call, ...lease, provider, content, sender, textNumber, expiresAt };
  };
  return allEnded(leasings.map(begin));
}

function toTextContact({ row, sender }: Cleared): TextContact[] {
  const { recipient: phone, tenantId, merchantId, messageId } = row;
  return sender === undefined ? [] : [{ sender, phone, tenantId, merchantId, messageId }];
}

/** Finds the carrier of a message, if any. A message that a real carrier deferred is never passed to the simulator. */
async function findCarrier({ tx, carriers }: ClaimContext, row: OutboxRow): Promise<Provider | undefined> {
  const carrier = await carriers.of(tx, row.tenantId, row.channel);
  if (carrier === undefined || row.attempts === 0 || carriers.traitsOf(carrier.name).handsOver) return carrier;
  const last = await findLastProvider(tx, row.messageId);
  return last !== undefined && carriers.traitsOf(last).handsOver ? undefined : carrier;
}

/**
 * Queues a look-up of a message that the carrier may have got before the database was restored, whatever the message's
 * age. If `provider` is null, the tenant's next carrier is asked.
 */
async function askFirst(context: Claiming, row: OutboxRow, provider: string | null): Promise<undefined> {
  const { tx, now } = context;
  reached("a message is in doubt because of a restore");
  await saveSending(tx, { messageId: row.messageId, status: move("message", row.status, "SENDING"), provider, now });
  return askLater(context, row);
}

/**
 * Queues a look-up. If the provider calls `handOver`, the message is known not to have left, so it is queued for
 * submission again.
 */
async function askOrTryAgain(context: Claiming, row: OutboxRow): Promise<undefined> {
  // if the message is locked, its holder is recording the outcome and waits for this row
  if (row.openAttempt !== null && !(await tryLockMessage(context.tx, row.messageId))) return undefined;
  const provider = row.openAttempt ?? (await findLastProvider(context.tx, row.messageId));
  const isKnownUnsent = provider !== undefined && context.carriers.traitsOf(provider).handsOver;
  reached(isKnownUnsent ? "a lease ran out before its message left" : "a lease ran out, and its message is looked up");
  return queue(context, row, isKnownUnsent ? "ready" : "reconciling");
}

function askLater(context: Claiming, row: OutboxRow): Promise<undefined> {
  return queue(context, row, "reconciling");
}

/** Queues a message again. By default the message keeps its due time, so it comes before newer messages. */
async function queue(
  { tx, now, queued }: Claiming,
  row: OutboxRow,
  state: "reconciling" | "ready",
  dueAt = row.dueAt,
): Promise<undefined> {
  await queueAgain(tx, row, { state, dueAt, giveUpAt: row.giveUpAt ?? now + PATIENCE_MS, now });
  queued.add(kindOf(state));
}

async function beginFind(context: Claiming, row: OutboxRow): Promise<Lookup | undefined> {
  const giveUpAt = extendPatience({ ...row, giveUpAt: row.giveUpAt ?? 0 }, context.now);
  if (context.now >= giveUpAt) return giveUp(context, row);
  const { tx, token, now, leaseMs } = context;
  const known = await findLastProvider(tx, row.messageId);
  const provider = known ?? (await findCarrier(context, row))?.name;
  if (provider === undefined) {
    reached("a message in doubt has no carrier to ask");
    return queue(context, row, "reconciling", Math.min(giveUpAt, now + NOBODY_ASKED_MS));
  }
  // from now on, reports about the message are accepted from this carrier
  if (known === undefined) await saveSending(tx, { messageId: row.messageId, status: row.status, provider, now });
  const lease = { token, leaseExpiresAt: now + leaseMs, leaseElapsesAt: context.elapsed + leaseMs, giveUpAt };
  await leaseLookup(tx, row, { token, expiresAt: lease.leaseExpiresAt, giveUpAt });
  const accepted = row.status === "SENT" ? await findProviderMessageId(tx, row.messageId) : null;
  return { kind: "find", message: row, ...lease, provider, accepted };
}

/**
 * Queues a review of the message. If its time is over, ends the wait for its receipt: if the carrier reports only
 * failures, the message counts as delivered; otherwise it is given up.
 */
async function reviewOrEnd(context: Claiming, row: OutboxRow): Promise<undefined> {
  const { tx, now, listeningSince } = context;
  if (row.giveUpAt !== null && now < row.giveUpAt) return askLater(context, row);
  const heardUntil = listenUntil(listeningSince);
  if (now < heardUntil) {
    reached("a carrier is given time to repeat reports that no process received");
    return askLater(context, { ...row, giveUpAt: heardUntil });
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
