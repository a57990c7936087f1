// Whether a phone said STOP to a number that a merchant's texts leave from.

import type { RecipientDigest } from "../rules/erased-recipients.ts";
import type { Transaction } from "../store/store.ts";
import { findOptInTime, findSender, listTenantSenders, listTextBlocks, type TextBlock } from "../store/text-lines.ts";
import { digestLine } from "./inbound-texts.ts";

interface Context {
  readonly tx: Transaction;
  readonly digestRecipient: RecipientDigest;
}

interface Line {
  readonly tenantId: number;
  readonly merchantId: string;
  /** The phone, in E.164. */
  readonly contact: string;
}

/** Whether the phone said STOP to one of the numbers. An OPT_IN that the merchant recorded later lifts that, for the merchant alone. */
export async function isBlockedBy(context: Context, line: Line, senders: readonly string[]): Promise<boolean> {
  return isBlocked(context.tx, line, senders, await listBlocks(context, line));
}

function listBlocks({ tx, digestRecipient }: Context, { contact }: Line): Promise<TextBlock[]> {
  return listTextBlocks(tx, digestLine(digestRecipient, contact));
}

async function isBlocked(
  tx: Transaction,
  { tenantId, merchantId, contact }: Line,
  senders: readonly string[],
  blocks: readonly TextBlock[],
): Promise<boolean> {
  const blockedAts = blocks.flatMap(({ sender, blockedAt }) => (senders.includes(sender) ? blockedAt : []));
  if (blockedAts.length === 0) return false;
  const optedInAt = await findOptInTime(tx, { tenantId, merchantId, channel: "SMS", contact });
  return optedInAt === undefined || optedInAt <= Math.max(...blockedAts);
}

/** The same of all numbers that a text of the merchant may leave from. Asks for these only if the phone said STOP to any. */
export async function isLineBlocked(context: Context, line: Line): Promise<boolean> {
  const { tx } = context;
  const blocks = await listBlocks(context, line);
  if (blocks.length === 0) return false;
  const senders: string[] = [];
  for (const carrier of await listTenantSenders(tx, line.tenantId)) senders.push(await findSender(tx, line, carrier));
  return isBlocked(tx, line, senders, blocks);
}
