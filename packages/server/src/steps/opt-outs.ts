import { contactOf } from "../rules/contacts.ts";
import { readErasedRecipient } from "../rules/erased-recipients.ts";
import { findStoredConsent, recordConsent } from "../store/consents.ts";
import { keepOptOut } from "../store/erased-opt-outs.ts";
import type { MessageProgress } from "../store/message-progress.ts";
import type { Transaction } from "../store/store.ts";

/** Records that a message's recipient wants no more of its channel from its merchant, unless that is known. */
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
