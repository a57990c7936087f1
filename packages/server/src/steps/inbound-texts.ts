// A text from a phone to a number of ours. STOP and START are said to the number: they hold for whoever texts from it.

import { readKeyword } from "../rules/keywords.ts";
import { findConsentChangeAt } from "../store/consent-changes.ts";
import { findConsent, recordConsent, takeConsent } from "../store/consents.ts";
import { blockTexts, type TextContact, unblockTexts } from "../store/text-lines.ts";
import { type ReplyContext, type ReplyEffect, receiveReply } from "./inbound-replies.ts";

export interface InboundLine {
  /** The number that the text was sent to. */
  readonly sender: string;
  /** The phone that sent it, in E.164. */
  readonly phone: string;
  /** Who texted the phone from the number, the last one first. */
  readonly contacts: readonly TextContact[];
}

/**
 * Acts on a text: the last merchant that texted the phone from the number answers it; a STOP also blocks the number for the phone,
 * and opts out of every merchant that texted it; a START ends that. Returns undefined if nobody texted the phone from the number.
 */
export async function receiveText(
  context: ReplyContext,
  { sender, phone, contacts }: InboundLine,
  text: string,
): Promise<ReplyEffect | undefined> {
  const [last, ...others] = contacts;
  const effect = last && (await receiveReply(context, { ...last, recipient: phone, line: sender }, text));
  const keyword = effect === undefined ? readKeyword(text, { optedOut: false }) : undefined;
  const word = effect?.word ?? keyword?.word;
  const action = effect?.status ?? statuses[keyword?.action ?? "HELP"];
  const { tx, now, digestRecipient } = context;
  const phoneDigest = digestLine(digestRecipient, phone);
  if (action === "OPTED_OUT" && word !== undefined) {
    await blockTexts(tx, { phoneDigest, sender, word, now });
    for (const contact of others) await optOut(context, contact, word);
  }
  // YES answers the last merchant alone
  if (action === "OPTED_IN" && word !== "YES") {
    const wasBlocked = await unblockTexts(tx, phoneDigest, sender);
    if (wasBlocked) for (const contact of others) await restore(context, contact);
  }
  return effect;
}

/** How the source of a consent begins that a reply changed. */
const REPLY = "SMS_REPLY:";

const statuses = { OPT_OUT: "OPTED_OUT", OPT_IN: "OPTED_IN", HELP: "RECEIVED" } as const;

/** By the installation, as a number may be shared by tenants. */
export function digestLine(digestRecipient: ReplyContext["digestRecipient"], phone: string): string {
  return digestRecipient(0, phone);
}

function keyOf({ tenantId, merchantId, phone }: TextContact) {
  return { tenantId, merchantId, channel: "SMS", contact: phone } as const;
}

async function optOut({ tx, now, changedBy }: ReplyContext, contact: TextContact, word: string): Promise<void> {
  const key = keyOf(contact);
  if ((await findConsent(tx, key))?.status === "OPT_OUT") return;
  await recordConsent(tx, key, { status: "OPT_OUT", source: `${REPLY}${word}`, changedBy, now });
}

/** Gives back what a STOP changed, unless that was changed since by something else than a reply. */
async function restore({ tx, now, changedBy }: ReplyContext, contact: TextContact): Promise<void> {
  const key = keyOf(contact);
  const consent = await findConsent(tx, key);
  if (consent?.status !== "OPT_OUT" || consent.source?.startsWith(REPLY) !== true) return;
  const before = await findConsentChangeAt(tx, { ...key, at: consent.updatedAt - 1 });
  if (before?.status === "OPT_IN") {
    await recordConsent(tx, key, { status: "OPT_IN", source: `${REPLY}START`, changedBy, now });
  } else await takeConsent(tx, key);
}
