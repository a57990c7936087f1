// Receipts of carriers that report by ids of their own, part by part. One that comes before the answer to its submission is
// kept until that is recorded.

import { joinParts } from "../../rules/message-parts.ts";
import {
  expectPart,
  findPartMessage,
  insertParts,
  listPartStatuses,
  parkReceipt,
  savePartStatus,
  takeParked,
} from "../../store/message-parts.ts";
import { findMessageProgress } from "../../store/message-progress.ts";
import type { PartReceipt } from "../providers/provider.ts";
import { type Recorded, type Replying, recordEvent } from "./events.ts";

/** Where the ids of a carrier are kept, however often it was set: the name of its ledger. */
export type Ledgered = Replying & { readonly ledger: string };

/** Records by which ids the carrier took a message, and what it has reported of them already. */
export async function recordParts(
  reported: Ledgered,
  { messageId }: { messageId: string },
  parts: readonly string[],
): Promise<void> {
  const { tx, now, ledger: provider } = reported;
  await insertParts(tx, { provider, parts, messageId, now });
  for (const part of parts) {
    for (const receipt of await takeParked(tx, { provider, part })) {
      await recordPartReceipt(reported, JSON.parse(receipt));
    }
  }
}

/** Records a receipt of a part; `parked` if nobody knows yet what it is of. */
export async function recordPartReceipt(reported: Ledgered, receipt: PartReceipt): Promise<Recorded | "parked"> {
  const { tx, now, ledger: provider } = reported;
  const { part, eventId, status, reason, detail } = receipt;
  const messageId = await findPartMessage(tx, { provider, part });
  if (messageId === undefined) {
    // it may have to wait for a transaction that waits for others of this one
    tx.requireAlone("a receipt of a part that is not known");
    if (!(await expectPart(tx, { provider, part }, now))) return recordPartReceipt(reported, receipt);
    await parkReceipt(tx, { provider, part, eventId, receipt: JSON.stringify(receipt), now });
    return "parked";
  }
  // holds it, as whoever reports another part of it does
  await findMessageProgress(tx, messageId);
  if (status !== "SENT") await savePartStatus(tx, { provider, part }, status);
  const joined = joinParts(await listPartStatuses(tx, messageId));
  // the ids of parts are the provider's own already
  const ofOwn = { ...reported, isOwn: () => true };
  return recordEvent(ofOwn, {
    kind: "receipt",
    eventId,
    clientReference: messageId,
    providerMessageId: part,
    status: joined,
    reason: joined === status ? reason : null,
    ...(detail === undefined ? {} : { detail }),
  });
}
