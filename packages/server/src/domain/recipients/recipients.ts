// Reads recipients' decisions and their history, and erases recipients.

import { MESSAGE_TYPE_VALUES } from "@msgctl/contract/constants";
import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import { scheduleJob } from "../../store/jobs.ts";
import type { Transaction } from "../../store/store.ts";
import { viewTime } from "../calendar.ts";
import { eraseMessageEvents } from "../callbacks/event-rows.ts";
import { lockLanes, refreshCall, refreshLane } from "../callbacks/queue-rows.ts";
import { eraseCallbacks } from "../callbacks/rows.ts";
import {
  type ConsentChange,
  type ConsentRow,
  dropOptOut,
  type ErasedOptOut,
  eraseConsentChanges,
  findConsent,
  keepOptOut,
  listConsentChanges,
  listDecidedChannels,
  listErasedOptOuts,
  takeConsent,
} from "../consent/rows.ts";
import { type ConsentStatus, decideConsent, type MessageType } from "../consent/rules.ts";
import { type Channel, contactOf, ERASED, type RecipientDigest, toErasedRecipient } from "../contacts.ts";
import type { OperationSettings } from "../context.ts";
import { callMessageId, readCallMessageId } from "../messages/rules.ts";
import { findSuppression, removeBounces, type Suppression } from "../messages/suppression-rows.ts";
import {
  digestPhone,
  findStoppedNumbers,
  isConversationBlocked,
  listStops,
  type Stop,
} from "../messages/text-blocks.ts";
import { eraseConversations } from "../messages/text-rows.ts";
import { parsePhoneNumber, readWrittenNumber } from "../phone-numbers.ts";
import { refuseFaults } from "../refusal.ts";
import type { MessageScope } from "../tenancy/access.ts";
import { canMoveOn, type MessageStatus } from "../transitions.ts";
import {
  addOpenErasure,
  type ErasureRow,
  eraseCall,
  eraseMessage,
  findLastCall,
  findLastMessage,
  insertErasure,
  listCallsTo,
  listErasures,
  listMessagesTo,
  listOpenErasures,
  lockErasure,
  removeOpenErasure,
  saveErasure,
} from "./erasure-rows.ts";
import { findSearchedCalls, findSearchedMessages } from "./searched-rows.ts";

export interface RecipientStory {
  /** Number or address in its normal form. */
  readonly contact: string;
  /** Current consents by merchant and channel. */
  readonly consents: readonly ConsentRow[];
  /** Newest first. */
  readonly changes: readonly ConsentChange[];
  /** Whether older changes were omitted. */
  readonly hasMore: boolean;
  /** STOPs that the recipient sent to numbers of the tenant or merchant, newest first. */
  readonly stops: readonly Stop[];
  /** Undefined if the recipient is not suppressed. */
  readonly suppression: KnownSuppression | undefined;
  /** Opt-outs that outlived an erasure of the recipient. */
  readonly keptOptOuts: readonly ErasedOptOut[];
  /** Newest first. */
  readonly erasures: readonly ErasureRow[];
}

/** A suppression; `messageId` is null if the message that bounced belongs to a merchant that the caller may not see. */
interface KnownSuppression extends Omit<Suppression, "messageId"> {
  readonly messageId: string | null;
}

/** A recipient that a caller asks about. */
export interface AskedRecipient {
  /** As returned by `readContact`. */
  readonly contact: string;
  /** The contact's digest for the requesting tenant. */
  readonly digest: string;
  /** The digest under which its STOPs are stored, the same for all tenants. */
  readonly phoneDigest: string;
}

export function askFor(contact: string, tenantId: number, digestRecipient: RecipientDigest): AskedRecipient {
  const phoneDigest = digestPhone(digestRecipient, contact);
  return { contact, digest: digestRecipient(tenantId, contact), phoneDigest };
}

/** What a merchant may send to a recipient. */
export interface Allowance {
  readonly channel: Channel;
  /** Null for all merchants about which the recipient has decided nothing. */
  readonly merchantId: string | null;
  readonly types: readonly MessageType[];
}

/** What decides the allowances, besides the recipient's story. */
export interface AllowanceContext {
  readonly tx: Transaction;
  readonly caller: MessageScope;
  readonly settings: Pick<OperationSettings, "consentPolicy" | "digestRecipient" | "stopCovers">;
}

/** Most merchants whose allowances are read. */
const MOST_ALLOWANCES = 100;

/** Most changes read for a recipient: few recipients have more than a handful. */
const MOST_CHANGES = 1_000;
const MOST_ERASURES = 100;

/** The normal form of a number or address; undefined for other text. */
export function readContact(text: string): string | undefined {
  return text.includes("@") ? parseEmailAddress(text) : parsePhoneNumber(text.trim());
}

/** The normal form of a number, as people in the time zone write it, or of an address. Undefined for other text, and for guesses. */
export function findRecipient(text: string, timezone: string): string | undefined {
  const contact = readContact(text);
  if (contact !== undefined) return contact;
  const written = readWrittenNumber(text, timezone);
  return written === undefined || written.isGuess ? undefined : written.e164;
}

/**
 * Reads a number, as people in the time zone write it, or an address. Throws `validation_error` for any other text, and for a
 * number whose country is a guess.
 */
export function readRecipient(text: string, timezone: string, pointer: string): string {
  const contact = findRecipient(text, timezone);
  if (contact !== undefined) return contact;
  const written = readWrittenNumber(text, timezone);
  const meant = written === undefined ? "" : ` Did you mean ${written.e164}?`;
  const detail = `Expected a phone number such as +12025550100, or an email address.${meant}`;
  throw refuseFaults([{ pointer, code: "invalid", detail }]);
}

/** Reads a recipient's story, with at most `most` changes. For an unknown recipient it is empty. */
export async function readRecipientStory(
  tx: Transaction,
  { tenantId, merchantId }: MessageScope,
  { contact, digest, phoneDigest }: AskedRecipient,
  { now, most = MOST_CHANGES }: { now: number; most?: number },
): Promise<RecipientStory> {
  const found = await listConsentChanges(tx, { tenantId, contact, limit: Math.min(most + 1, Number.MAX_SAFE_INTEGER) });
  const changes = found.slice(0, most).filter((change) => merchantId === null || change.merchantId === merchantId);
  const consents: ConsentRow[] = [];
  const seen = new Set<string>();
  for (const change of changes) {
    const key = JSON.stringify([change.merchantId, change.channel]);
    if (seen.has(key)) continue;
    seen.add(key);
    const { merchantId, channel } = change;
    const consent = await findConsent(tx, { tenantId, merchantId, channel, contact });
    if (consent !== undefined) consents.push(consent);
  }
  consents.sort((one, other) => compare(one.merchantId, other.merchantId) || compare(one.channel, other.channel));
  const stops = await listStops(tx, { tenantId, merchantId, contact, phoneDigest, consents, changes });
  const isSeen = (row: { merchantId: string | null }) => merchantId === null || row.merchantId === merchantId;
  const keptOptOuts = (await listErasedOptOuts(tx, tenantId, digest)).filter(isSeen);
  const erasures = (await listErasures(tx, { tenantId, digest, limit: MOST_ERASURES })).filter(isSeen);
  const suppressed = await findSuppression(tx, { tenantId, contact }, now);
  const suppression = suppressed && {
    ...suppressed,
    messageId: isSeen(suppressed) ? suppressed.messageId : null,
  };
  const hasMore = found.length > most;
  return { contact, consents, changes, hasMore, stops, suppression, keptOptOuts, erasures };
}

/**
 * Reads what may be sent to the recipient now, by channel: by each merchant about which the recipient has decided, and by the
 * others. A merchant's caller gets the allowances of that merchant only.
 */
export async function readAllowances(
  { tx, caller, settings }: AllowanceContext,
  { contact, consents, keptOptOuts, stops, suppression }: RecipientStory,
): Promise<Allowance[]> {
  const { tenantId } = caller;
  const { consentPolicy: policy, digestRecipient, stopCovers } = settings;
  const decided = [...new Set([...consents, ...keptOptOuts].map(({ merchantId }) => merchantId))].sort(compare);
  const allowances: Allowance[] = [];
  for (const channel of contact.includes("@") ? (["EMAIL"] as const) : (["SMS", "VOICE"] as const)) {
    const allow = (merchantId: string | null, status: ConsentStatus | undefined) => {
      const types = MESSAGE_TYPE_VALUES.filter(
        (type) => suppression?.channel !== channel && decideConsent({ policy, channel, type, status }) === "allowed",
      );
      allowances.push({ channel, merchantId, types });
    };
    for (const merchantId of decided.slice(0, MOST_ALLOWANCES)) {
      const isMeant = (row: { merchantId: string; channel: Channel }) =>
        row.merchantId === merchantId && row.channel === channel;
      const conversation = { tenantId, merchantId, contact };
      const digesting = { tx, digestRecipient, stopCovers };
      if (stops.length > 0 && (await isStopped(digesting, channel, conversation))) {
        allowances.push({ channel, merchantId, types: [] });
      } else {
        allow(merchantId, consents.find(isMeant)?.status ?? (keptOptOuts.some(isMeant) ? "OPT_OUT" : undefined));
      }
    }
    if (caller.merchantId === null || !decided.includes(caller.merchantId)) allow(caller.merchantId, undefined);
  }
  return allowances;
}

/** Returns whether a STOP by text blocks the merchant's messages by this channel. */
async function isStopped(
  context: Parameters<typeof findStoppedNumbers>[0],
  channel: Channel,
  conversation: { tenantId: number; merchantId: string; contact: string },
): Promise<boolean> {
  if (channel === "SMS") return isConversationBlocked(context, conversation);
  const { contact } = conversation;
  return channel === "VOICE" && (await findStoppedNumbers(context, conversation, [contact])).has(contact);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** A change in its JSON form. */
export function viewChange({ changeId: _changeId, changedAt, ...change }: ConsentChange) {
  return { ...change, changedAt: new Date(changedAt).toISOString() };
}

/** A decision in its JSON form. */
export function viewConsent({ contact: _contact, updatedAt, ...consent }: ConsentRow) {
  return { ...consent, updatedAt: new Date(updatedAt).toISOString() };
}

/** The story in its JSON form. */
export function viewRecipient(story: RecipientStory) {
  const { contact, consents, changes, hasMore, stops, suppression, keptOptOuts, erasures } = story;
  return {
    contact,
    consents: consents.map(viewConsent),
    changes: changes.map(viewChange),
    hasMore,
    stops: stops.map(({ sender: number, word, blockedAt, overrides }) => ({
      ...{ number, word, saidAt: viewTime(blockedAt), overrides: overrides.map(viewConsent) },
    })),
    suppression: suppression === undefined ? null : viewSuppression(suppression),
    keptOptOuts: keptOptOuts.map(({ optedOutAt, ...optOut }) => ({ ...optOut, optedOutAt: viewTime(optedOutAt) })),
    erasures: erasures.map(({ askedAt, endedAt, merchantId, erased }) => ({
      ...{ askedAt: viewTime(askedAt), endedAt: viewTime(endedAt), merchantId, erased },
    })),
  };
}

function viewSuppression({ channel, reason, messageId, suppressedAt, endsAt }: KnownSuppression) {
  return { channel, reason, messageId, since: viewTime(suppressedAt), until: viewTime(endsAt) };
}

/** Lifts the recipient's suppression, for all merchants of the tenant. Returns whether it was suppressed. */
export async function unsuppress(
  tx: Transaction,
  { tenantId }: MessageScope,
  { contact, now }: { contact: string; now: number },
): Promise<boolean> {
  const suppression = await findSuppression(tx, { tenantId, contact }, now);
  await removeBounces(tx, { tenantId, contact });
  return suppression !== undefined;
}

/** Job kind: continues an erasure. */
export const ERASURE = "erasure";

/** Most rows read, and most rows erased, in one transaction. */
const LOOKED_AT = 2_000;
const ERASED_AT_ONCE = 100;
/** Most open messages handled at once. No person has so many in flight. */
const MOST_OPEN = 1_000;

/** `under way`: more rows remain to be examined. `waiting`: some messages have not ended yet. `ended`: nothing remains. */
export type ErasureState = "under way" | "waiting" | "ended";

export interface ErasureProgress {
  readonly state: ErasureState;
  /** Messages and calls erased so far. */
  readonly erased: number;
  /** Messages and calls that have not ended; 0 until all have been examined. */
  readonly open: number;
}

/**
 * Begins the erasure of a recipient: removes their consents, and keeps their opt-outs under a digest. Then a job or a
 * command erases their messages with {@link continueErasure}, except fields that accounting needs. Returns the erasure's
 * id.
 */
export async function beginErasure(
  tx: Transaction,
  { tenantId, merchantId }: MessageScope,
  { contact, digest, now }: { contact: string; digest: string; now: number },
): Promise<number> {
  for (const decided of await listDecidedChannels(tx, { tenantId, contact })) {
    if (merchantId !== null && decided.merchantId !== merchantId) continue;
    const consent = await takeConsent(tx, { tenantId, ...decided, contact });
    if (consent === undefined) continue;
    const key = { tenantId, ...decided, digest };
    if (consent.status === "OPT_OUT") await keepOptOut(tx, key, consent.updatedAt);
    else await dropOptOut(tx, key);
  }
  if (merchantId === null) {
    await eraseConversations(tx, tenantId, contact);
    await removeBounces(tx, { tenantId, contact });
  }
  await eraseConsentChanges(tx, { tenantId, merchantId, contact });
  const erasureId = await insertErasure(tx, { tenantId, merchantId, contact, digest, askedAt: now });
  await scheduleJob(tx, { tenantId, kind: ERASURE, subject: String(erasureId), dueAt: now });
  await eraseEvents(tx, { tenantId, merchantId, contact }, now);
  return erasureId;
}

/** Erases the contact from events of messages that wait or are still stored. Locks the tenant's lanes. */
async function eraseEvents(
  tx: Transaction,
  theirs: { tenantId: number; merchantId: string | null; contact: string },
  now: number,
): Promise<void> {
  await eraseMessageEvents(tx, theirs);
  lockLanes(tx, theirs.tenantId);
  const calls = await eraseCallbacks(tx, theirs, now);
  for (const call of calls) await refreshCall(tx, call);
  const lanes = new Map(calls.map((call) => [call.receiver, call]));
  for (const lane of lanes.values()) await refreshLane(tx, lane, now);
}

/** Erases the next batch of rows. Several processes may call it. */
export async function continueErasure(tx: Transaction, erasureId: number, now: number): Promise<ErasureProgress> {
  const erasure = await lockErasure(tx, erasureId);
  if (erasure === undefined) throw new Error(`there is no erasure ${erasureId}`);
  if (erasure.contact === null) return { state: "ended", erased: erasure.erased, open: 0 };
  const theirs = { ...erasure, contact: erasure.contact };
  if (erasure.messagesAfter !== null) return scanMessages(tx, theirs, erasure.messagesAfter, now);
  if (erasure.callsAfter !== null) return scanCalls(tx, theirs, erasure.callsAfter, now);
  const erased = erasure.erased + (await erase(tx, theirs, await listOpenErasures(tx, erasureId, MOST_OPEN), now));
  const open = (await listOpenErasures(tx, erasureId, MOST_OPEN)).length;
  const end = open > 0 ? {} : { contact: null, endedAt: now };
  // an open message may have bounced meanwhile
  if (open === 0 && erasure.merchantId === null) await removeBounces(tx, theirs);
  await saveErasure(tx, { ...erasure, ...end, erased });
  return { state: open > 0 ? "waiting" : "ended", erased, open };
}

/** An erasure that has not ended. */
interface OpenErasure extends ErasureRow {
  readonly contact: string;
}

async function scanMessages(
  tx: Transaction,
  erasure: OpenErasure,
  after: string,
  now: number,
): Promise<ErasureProgress> {
  const last = await findLastMessage(tx, after, LOOKED_AT);
  const found = last === undefined ? [] : await listMessagesTo(tx, { after, last }, toSought(erasure));
  const messagesAfter = (found.length === ERASED_AT_ONCE ? found.at(-1) : last) ?? null;
  return save(tx, { ...erasure, messagesAfter }, found, now);
}

async function scanCalls(tx: Transaction, erasure: OpenErasure, after: number, now: number): Promise<ErasureProgress> {
  const last = await findLastCall(tx, after, LOOKED_AT);
  const found = last === undefined ? [] : await listCallsTo(tx, { after, last }, toSought(erasure));
  const callsAfter = (found.length === ERASED_AT_ONCE ? found.at(-1)?.requestId : last) ?? null;
  return save(tx, { ...erasure, callsAfter }, found.map(callMessageId), now);
}

function toSought({ tenantId, contact, askedAt: until }: OpenErasure) {
  return { tenantId, contact, until, limit: ERASED_AT_ONCE };
}

async function save(
  tx: Transaction,
  erasure: OpenErasure,
  found: readonly string[],
  now: number,
): Promise<ErasureProgress> {
  const erased = erasure.erased + (await erase(tx, erasure, found, now));
  await saveErasure(tx, { ...erasure, erased });
  return { state: "under way", erased, open: 0 };
}

/** Returns whether the recipient is still needed, to submit the message or make the call. Reports are recorded without it. */
function needsRecipient(channel: Channel, status: MessageStatus): boolean {
  return status === "QUEUED" || status === "SENDING" || (channel === "VOICE" && status === "SENT");
}

/** Erases those messages and calls that have ended, and returns how many. Records the others as open. */
async function erase(
  tx: Transaction,
  { erasureId, tenantId, merchantId, contact, digest }: OpenErasure,
  messageIds: readonly string[],
  now: number,
): Promise<number> {
  const isTheirs = (row: { tenantId: number; merchantId: string; to: string }) =>
    row.tenantId === tenantId &&
    contactOf(row.to) === contact &&
    (merchantId === null || row.merchantId === merchantId);
  const open = new Set<string>();
  let erased = 0;
  for (const { messageId, status, channel } of (await findSearchedMessages(tx, messageIds)).filter(isTheirs)) {
    if (needsRecipient(channel, status)) open.add(messageId);
    else {
      await eraseMessage(tx, messageId, { recipient: toErasedRecipient(digest), now });
      erased += 1;
    }
  }
  const requestIds = messageIds.flatMap((messageId) => readCallMessageId(messageId) ?? []);
  for (const call of (await findSearchedCalls(tx, requestIds)).filter(isTheirs)) {
    const messageId = callMessageId(call);
    if (canMoveOn("final", call.finalStatus)) open.add(messageId);
    else {
      await eraseCall(tx, call.requestId, { messageId, number: ERASED, now });
      // a dialled call is counted with its message
      if (call.status === null) erased += 1;
    }
  }
  // events of messages that ended since the erasure began
  if (erased > 0) await eraseEvents(tx, { tenantId, merchantId, contact }, now);
  for (const messageId of messageIds) {
    if (open.has(messageId)) await addOpenErasure(tx, erasureId, messageId);
    else await removeOpenErasure(tx, erasureId, messageId);
  }
  return erased;
}
