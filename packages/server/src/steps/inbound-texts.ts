// A text from a phone to a number of ours. STOP and START are said to the number: they hold for whoever texts from it.

import { readKeyword } from "../rules/keywords.ts";
import type { ConsentKey } from "../store/consents.ts";
import type { Channel } from "../store/merchants.ts";
import { blockTexts, type TextContact, unblockTexts } from "../store/text-lines.ts";
import { type ReplyContext, type ReplyEffect, receiveReply } from "./inbound-replies.ts";
import { channelsOf, optOutByReply, restoreConsent } from "./replied-consents.ts";

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
  const { tx, now, digestRecipient, stopCovers } = context;
  const phoneDigest = digestLine(digestRecipient, phone);
  if (action === "OPTED_OUT" && word !== undefined) {
    await blockTexts(tx, { phoneDigest, sender, word, now });
    for (const key of keysOf(others, channelsOf(stopCovers))) await optOutByReply(context, key, word);
  }
  // YES answers the last merchant alone
  if (action === "OPTED_IN" && word !== "YES") {
    const wasBlocked = await unblockTexts(tx, phoneDigest, sender);
    // calls too, as they may have been covered when the STOP was said
    if (wasBlocked) for (const key of keysOf(others, ["SMS", "VOICE"])) await restoreConsent(context, key);
  }
  return effect;
}

const statuses = { OPT_OUT: "OPTED_OUT", OPT_IN: "OPTED_IN", HELP: "RECEIVED" } as const;

/** By the installation, as a number may be shared by tenants. */
export function digestLine(digestRecipient: ReplyContext["digestRecipient"], phone: string): string {
  return digestRecipient(0, phone);
}

function keysOf(contacts: readonly TextContact[], channels: readonly Channel[]): ConsentKey[] {
  return contacts.flatMap(({ tenantId, merchantId, phone: contact }) =>
    channels.map((channel) => ({ tenantId, merchantId, channel, contact })),
  );
}
