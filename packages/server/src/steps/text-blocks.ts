// Whether a phone said STOP to a number that a merchant's texts leave from, whether that covers calls, and what lifts it.

import type { StopCoverage } from "../rules/consent.ts";
import type { RecipientDigest } from "../rules/erased-recipients.ts";
import { allEnded } from "../store/all-ended.ts";
import type { ConsentChange } from "../store/consent-changes.ts";
import type { ConsentRow } from "../store/consents.ts";
import type { Transaction } from "../store/store.ts";
import {
  findOptInTime,
  findSender,
  isNumberOf,
  listTenantSenders,
  listTextBlocks,
  listUsedSenders,
  type TextBlock,
} from "../store/text-lines.ts";
import { digestLine } from "./inbound-texts.ts";
import { REPLY } from "./replied-consents.ts";

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
  return isBlocked(tx, line, await listSenders(tx, line), blocks);
}

/** The numbers that a text of the merchant may leave from. */
async function listSenders(tx: Transaction, owner: Omit<Line, "contact">): Promise<string[]> {
  const senders: string[] = [];
  for (const carrier of await listTenantSenders(tx, owner.tenantId)) senders.push(await findSender(tx, owner, carrier));
  return senders;
}

interface CallContext extends Context {
  readonly stopCovers?: StopCoverage | undefined;
}

/**
 * If a STOP covers calls, finds those of the numbers that said STOP to a number that the merchant texted them from. A later OPT_IN to
 * calls lifts that. From which number the merchant calls does not count.
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

/** A STOP, as those are shown whose texts it blocks. */
export interface Stop extends TextBlock {
  /** The merchants' OPT_INs that were recorded after it, and lift it for them alone. */
  readonly overrides: readonly ConsentRow[];
}

/** Who asks about a contact, and what is known of it beside its STOPs. */
interface Known {
  readonly tenantId: number;
  /** Null for any of the tenant's. */
  readonly merchantId: string | null;
  readonly contact: string;
  readonly phoneDigest: string;
  readonly consents: readonly ConsentRow[];
  readonly changes: readonly ConsentChange[];
}

/** Lists the STOPs that a contact said to numbers of the tenant or merchant, the last one first; never those said to others' numbers. */
export async function listStops(tx: Transaction, known: Known): Promise<Stop[]> {
  const { tenantId, contact: phone, phoneDigest, consents } = known;
  const blocks = (await listTextBlocks(tx, phoneDigest)).toSorted((one, other) => other.blockedAt - one.blockedAt);
  if (blocks.length === 0) return [];
  const shared = (await listTenantSenders(tx, tenantId)).map(({ sender }) => sender);
  const uses = new Map<string, { readonly mayUse: readonly string[]; readonly used: readonly string[] }>();
  for (const { merchantId } of consents) {
    if (uses.has(merchantId)) continue;
    const owner = { tenantId, merchantId };
    uses.set(merchantId, {
      mayUse: await listSenders(tx, owner),
      used: await listUsedSenders(tx, { ...owner, phone }),
    });
  }
  const stops: Stop[] = [];
  for (const block of blocks) {
    const { sender, blockedAt } = block;
    if (!shared.includes(sender) && !(await isNumberOf(tx, known, { sender, phone }))) continue;
    const overrides = consents.filter((consent) => {
      const { mayUse, used } = uses.get(consent.merchantId) ?? { mayUse: [], used: [] };
      if (consent.status !== "OPT_IN" || consent.updatedAt <= blockedAt) return false;
      if (consent.channel === "SMS") return mayUse.includes(sender) || used.includes(sender);
      return used.includes(sender) && wasStopped(consent, known.changes);
    });
    stops.push({ ...block, overrides });
  }
  return stops;
}

/** Whether a STOP by text opted out of the calls before. */
function wasStopped({ merchantId, channel }: ConsentRow, changes: readonly ConsentChange[]): boolean {
  return (
    channel === "VOICE" &&
    changes.some(
      (change) =>
        change.merchantId === merchantId &&
        change.channel === channel &&
        change.status === "OPT_OUT" &&
        change.source?.startsWith(REPLY) === true,
    )
  );
}
