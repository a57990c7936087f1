// Handles texts from phones. A STOP blocks all texts from the number that it was sent to.

import { allEnded } from "../../store/batching.ts";
import type { Transaction } from "../../store/store.ts";
import type { ConsentChange, ConsentKey, ConsentRow } from "../consent/rows.ts";
import { readKeyword } from "../consent/rules.ts";
import type { Channel } from "../contacts.ts";
import type { StopCoverage } from "../policies.ts";
import { channelsOf, type Digesting, optOutByReply, REPLY, restoreConsent } from "./consents.ts";
import { type ReplyContext, type ReplyEffect, receiveReply } from "./inbound-replies.ts";
import {
  blockTexts,
  findOptInTime,
  findSender,
  isNumberOf,
  listTenantSenders,
  listTextBlocks,
  listUsedSenders,
  type TextBlock,
  type TextContact,
  unblockTexts,
} from "./text-rows.ts";

/** A text from a phone to a number of this installation. STOP and START apply to every merchant that uses the number. */
interface InboundText {
  /** The number to which the phone sent the text. */
  readonly sender: string;
  /** The phone that sent it, in E.164. */
  readonly phone: string;
  /** Merchants that texted the phone from the number, most recent first. */
  readonly contacts: readonly TextContact[];
}

/**
 * Acts on a text as a reply to the last merchant that texted the phone from the number. A STOP also blocks texts from the
 * number to the phone, and opts the phone out of all merchants that texted it; a START reverses both. Returns undefined
 * if no merchant has texted the phone.
 */
export async function receiveText(
  context: ReplyContext,
  { sender, phone, contacts }: InboundText,
  text: string,
): Promise<ReplyEffect | undefined> {
  const [last, ...others] = contacts;
  const effect = last && (await receiveReply(context, { ...last, recipient: phone, sender }, text));
  const keyword = effect === undefined ? readKeyword(text, { optedOut: false }) : undefined;
  const word = effect?.word ?? keyword?.word;
  const action = effect?.status ?? statuses[keyword?.action ?? "HELP"];
  const { tx, now, digestRecipient, stopCovers } = context;
  const phoneDigest = digestPhone(digestRecipient, phone);
  if (action === "OPTED_OUT" && word !== undefined) {
    await blockTexts(tx, { phoneDigest, sender, word, now });
    for (const key of keysOf(others, channelsOf(stopCovers))) await optOutByReply(context, key, word);
  }
  // YES is a reply to the last merchant only
  if (action === "OPTED_IN" && word !== "YES") {
    const wasBlocked = await unblockTexts(tx, phoneDigest, sender);
    // restore calls, too: the STOP may have covered them at the time
    if (wasBlocked) for (const key of keysOf(others, ["SMS", "VOICE"])) await restoreConsent(context, key);
  }
  return effect;
}

const statuses = { OPT_OUT: "OPTED_OUT", OPT_IN: "OPTED_IN", HELP: "RECEIVED" } as const;

/** The digest of a phone, the same for all tenants, because tenants may share a number. */
export function digestPhone(digestRecipient: ReplyContext["digestRecipient"], phone: string): string {
  return digestRecipient(0, phone);
}

function keysOf(contacts: readonly TextContact[], channels: readonly Channel[]): ConsentKey[] {
  return contacts.flatMap(({ tenantId, merchantId, phone: contact }) =>
    channels.map((channel) => ({ tenantId, merchantId, channel, contact })),
  );
}

interface Conversation {
  readonly tenantId: number;
  readonly merchantId: string;
  /** The phone, in E.164. */
  readonly contact: string;
}

/** Returns whether the phone sent STOP to one of the numbers and the merchant has recorded no OPT_IN since. */
export async function isBlockedBy(
  context: Digesting,
  conversation: Conversation,
  senders: readonly string[],
): Promise<boolean> {
  return isBlocked(context.tx, conversation, senders, await listBlocks(context, conversation));
}

function listBlocks({ tx, digestRecipient }: Digesting, { contact }: Conversation): Promise<TextBlock[]> {
  return listTextBlocks(tx, digestPhone(digestRecipient, contact));
}

async function isBlocked(
  tx: Transaction,
  { tenantId, merchantId, contact }: Conversation,
  senders: readonly string[],
  blocks: readonly TextBlock[],
  channel: "SMS" | "VOICE" = "SMS",
): Promise<boolean> {
  const blockedAts = blocks.flatMap(({ sender, blockedAt }) => (senders.includes(sender) ? blockedAt : []));
  if (blockedAts.length === 0) return false;
  const optedInAt = await findOptInTime(tx, { tenantId, merchantId, channel, contact });
  return optedInAt === undefined || optedInAt <= Math.max(...blockedAts);
}

/** Returns whether the phone sent STOP to a number that the merchant's texts may be sent from, with no OPT_IN since. */
export async function isConversationBlocked(context: Digesting, conversation: Conversation): Promise<boolean> {
  const { tx } = context;
  const blocks = await listBlocks(context, conversation);
  if (blocks.length === 0) return false;
  return isBlocked(tx, conversation, await listSenders(tx, conversation), blocks);
}

/** Lists the numbers that the merchant's texts may be sent from. */
async function listSenders(tx: Transaction, owner: Omit<Conversation, "contact">): Promise<string[]> {
  const senders: string[] = [];
  for (const carrier of await listTenantSenders(tx, owner.tenantId)) senders.push(await findSender(tx, owner, carrier));
  return senders;
}

/**
 * If a STOP covers calls, finds which of the recipients' `numbers` sent STOP to a number from which the merchant texted
 * them, and have not opted in to calls since.
 */
export async function findStoppedNumbers(
  { tx, digestRecipient, stopCovers }: Digesting & { readonly stopCovers?: StopCoverage | undefined },
  { tenantId, merchantId }: Omit<Conversation, "contact">,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const stopped = new Set<string>();
  if (stopCovers !== "sms,voice") return stopped;
  const blocks = await allEnded(numbers.map((number) => listTextBlocks(tx, digestPhone(digestRecipient, number))));
  for (const [index, contact] of numbers.entries()) {
    const said = blocks[index] ?? [];
    if (said.length === 0) continue;
    const conversation = { tenantId, merchantId, contact };
    const senders = await listUsedSenders(tx, { tenantId, merchantId, phone: contact });
    if (await isBlocked(tx, conversation, senders, said, "VOICE")) stopped.add(contact);
  }
  return stopped;
}

/** A STOP with the OPT_INs that override it, as shown to a tenant whose texts it blocks. */
export interface Stop extends TextBlock {
  /** OPT_INs recorded after the STOP. Each lifts the STOP for its own merchant only. */
  readonly overrides: readonly ConsentRow[];
}

/** The contact whose STOPs are listed, the scope of the listing, and the contact's consents. */
interface Known {
  readonly tenantId: number;
  /** Null for all merchants of the tenant. */
  readonly merchantId: string | null;
  readonly contact: string;
  readonly phoneDigest: string;
  readonly consents: readonly ConsentRow[];
  readonly changes: readonly ConsentChange[];
}

/** Lists a contact's STOPs, newest first. Omits STOPs to numbers that are not the tenant's or merchant's. */
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

/** Returns whether a STOP by text once opted the contact out of the merchant's calls. */
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
