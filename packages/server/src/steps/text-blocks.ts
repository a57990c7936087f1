// Whether a phone said STOP to a number that a merchant's texts leave from, and whether that covers calls.

import type { StopCoverage } from "../rules/consent.ts";
import type { RecipientDigest } from "../rules/erased-recipients.ts";
import { allEnded } from "../store/all-ended.ts";
import type { Transaction } from "../store/store.ts";
import {
  findOptInTime,
  findSender,
  listTenantSenders,
  listTextBlocks,
  listUsedSenders,
  type TextBlock,
} from "../store/text-lines.ts";
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
  channel: "SMS" | "VOICE" = "SMS",
): Promise<boolean> {
  const blockedAts = blocks.flatMap(({ sender, blockedAt }) => (senders.includes(sender) ? blockedAt : []));
  if (blockedAts.length === 0) return false;
  const optedInAt = await findOptInTime(tx, { tenantId, merchantId, channel, contact });
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

interface CallContext extends Context {
  readonly stopCovers?: StopCoverage | undefined;
}

/**
 * Those of the numbers that a merchant may not call, whatever number it calls from, where a STOP covers calls: they said STOP to a
 * number that the merchant texted them from. An OPT_IN to calls that the merchant recorded later lifts that.
 */
export async function findStoppedNumbers(
  { tx, digestRecipient, stopCovers }: CallContext,
  { tenantId, merchantId }: Omit<Line, "contact">,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const stopped = new Set<string>();
  if (stopCovers !== "sms,voice") return stopped;
  const blocks = await allEnded(numbers.map((number) => listTextBlocks(tx, digestLine(digestRecipient, number))));
  for (const [index, contact] of numbers.entries()) {
    const said = blocks[index] ?? [];
    if (said.length === 0) continue;
    const line = { tenantId, merchantId, contact };
    const senders = await listUsedSenders(tx, { tenantId, merchantId, phone: contact });
    if (await isBlocked(tx, line, senders, said, "VOICE")) stopped.add(contact);
  }
  return stopped;
}
