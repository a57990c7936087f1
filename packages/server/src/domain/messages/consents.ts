// Looks up, changes and restores the consent of recipients, including erased ones.

import type { Transaction } from "../../store/store.ts";
import {
  type ConsentKey,
  type ConsentStatus,
  findConsent,
  findConsentChangeAt,
  findConsentStatuses,
  findErasedOptOuts,
  findStoredConsent,
  keepOptOut,
  recordConsent,
  takeConsent,
} from "../consent/rows.ts";
import { type Channel, contactOf, type RecipientDigest, readErasedRecipient } from "../contacts.ts";
import type { StoredConsent } from "../merchants/rows.ts";
import type { StopCoverage } from "../policies.ts";
import type { MessageProgress } from "./progress-rows.ts";

/** A transaction, and the digest function that finds opt-outs of erased recipients. */
export interface Digesting {
  readonly tx: Transaction;
  readonly digestRecipient: RecipientDigest;
}

/** Reads the contact's decision; undefined if none is known. */
export async function readConsent(context: Digesting, key: ConsentKey): Promise<ConsentStatus | undefined> {
  return resolveConsent(context, key, await findStoredConsent(context.tx, key));
}

/** The stored decision or, for `SEE_ERASED`, the one found among the opt-outs of erased recipients. */
export async function resolveConsent(
  { tx, digestRecipient }: Digesting,
  key: ConsentKey,
  stored: StoredConsent | null | undefined,
): Promise<ConsentStatus | undefined> {
  if (stored !== "SEE_ERASED") return stored ?? undefined;
  const found = await findErasedOptOuts(tx, key, [digestRecipient(key.tenantId, key.contact)]);
  return found.size > 0 ? "OPT_OUT" : undefined;
}

/** Reads the decisions of the contacts; contacts without one are omitted. */
export async function readConsents(
  { tx, digestRecipient }: Digesting,
  key: Omit<ConsentKey, "contact">,
  contacts: readonly string[],
): Promise<Map<string, ConsentStatus>> {
  const statuses = await findConsentStatuses(tx, key, contacts);
  const unknown = contacts.find((contact) => !statuses.has(contact));
  if (unknown === undefined || (await findStoredConsent(tx, { ...key, contact: unknown })) !== "SEE_ERASED") {
    return statuses;
  }
  const digests = new Map<string, string>();
  for (const contact of contacts) {
    if (!statuses.has(contact)) digests.set(digestRecipient(key.tenantId, contact), contact);
  }
  for (const digest of await findErasedOptOuts(tx, key, [...digests.keys()])) {
    statuses.set(digests.get(digest) ?? "", "OPT_OUT");
  }
  return statuses;
}

interface Change {
  readonly tx: Transaction;
  readonly now: number;
  readonly changedBy: string;
}

/** Prefix of `source` if a reply changed the consent. */
export const REPLY = "SMS_REPLY:";

/** The channels that a STOP by text opts out of. */
export function channelsOf(covered: StopCoverage | undefined): readonly Channel[] {
  return covered === "sms,voice" ? ["SMS", "VOICE"] : ["SMS"];
}

/** Records the opt-out of a STOP, unless the contact has already opted out. */
export async function optOutByReply({ tx, now, changedBy }: Change, key: ConsentKey, word: string): Promise<void> {
  if ((await findConsent(tx, key))?.status === "OPT_OUT") return;
  await recordConsent(tx, key, { status: "OPT_OUT", source: `${REPLY}${word}`, changedBy, now });
}

/** Restores the consent from before a STOP, unless something other than a reply has changed it since. */
export async function restoreConsent({ tx, now, changedBy }: Change, key: ConsentKey): Promise<void> {
  const consent = await findConsent(tx, key);
  if (consent?.status !== "OPT_OUT" || consent.source?.startsWith(REPLY) !== true) return;
  const before = await findConsentChangeAt(tx, { ...key, at: consent.updatedAt - 1 });
  if (before?.status === "OPT_IN") {
    await recordConsent(tx, key, { status: "OPT_IN", source: `${REPLY}START`, changedBy, now });
  } else await takeConsent(tx, key);
}

/** Opts a message's recipient out of its channel for its merchant, unless they have already opted out. */
export async function recordOptOut(
  { tx, now }: { tx: Transaction; now: number },
  message: Pick<MessageProgress, "tenantId" | "merchantId" | "channel" | "recipient">,
  { source, changedBy }: { source: string; changedBy: string },
): Promise<void> {
  const digest = readErasedRecipient(message.recipient);
  if (digest !== undefined) return keepOptOut(tx, { ...message, digest }, now);
  const key = { ...message, contact: contactOf(message.recipient) };
  if ((await findStoredConsent(tx, key)) === "OPT_OUT") return;
  await recordConsent(tx, key, { status: "OPT_OUT", source, changedBy, now });
}
