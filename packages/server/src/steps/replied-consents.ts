// What a STOP by text changes of a merchant's consents, and a START gives back.

import type { StopCoverage } from "../rules/consent.ts";
import { findConsentChangeAt } from "../store/consent-changes.ts";
import { type ConsentKey, findConsent, recordConsent, takeConsent } from "../store/consents.ts";
import type { Channel } from "../store/merchants.ts";
import type { Transaction } from "../store/store.ts";

interface Change {
  readonly tx: Transaction;
  readonly now: number;
  readonly changedBy: string;
}

/** How the source of a consent begins that a reply changed. */
export const REPLY = "SMS_REPLY:";

/** The channels that a STOP by text ends. */
export function channelsOf(covered: StopCoverage | undefined): readonly Channel[] {
  return covered === "sms,voice" ? ["SMS", "VOICE"] : ["SMS"];
}

/** Records that a STOP opted out, unless that is so already. */
export async function optOutByReply({ tx, now, changedBy }: Change, key: ConsentKey, word: string): Promise<void> {
  if ((await findConsent(tx, key))?.status === "OPT_OUT") return;
  await recordConsent(tx, key, { status: "OPT_OUT", source: `${REPLY}${word}`, changedBy, now });
}

/** Gives back what a STOP changed, unless that was changed since by something else than a reply. */
export async function restoreConsent({ tx, now, changedBy }: Change, key: ConsentKey): Promise<void> {
  const consent = await findConsent(tx, key);
  if (consent?.status !== "OPT_OUT" || consent.source?.startsWith(REPLY) !== true) return;
  const before = await findConsentChangeAt(tx, { ...key, at: consent.updatedAt - 1 });
  if (before?.status === "OPT_IN") {
    await recordConsent(tx, key, { status: "OPT_IN", source: `${REPLY}START`, changedBy, now });
  } else await takeConsent(tx, key);
}
