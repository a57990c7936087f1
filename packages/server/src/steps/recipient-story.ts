// What is known of a recipient beside the messages to them: what they decided, and how it came about.

import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import type { RecipientDigest } from "../rules/erased-recipients.ts";
import { parsePhoneNumber } from "../rules/phone-numbers.ts";
import { viewTime } from "../rules/view-time.ts";
import { type ConsentChange, listConsentChanges } from "../store/consent-changes.ts";
import { type ConsentRow, findConsent } from "../store/consents.ts";
import { type ErasedOptOut, listErasedOptOuts } from "../store/erased-opt-outs.ts";
import { type ErasureRow, listErasures } from "../store/erasures.ts";
import type { Transaction } from "../store/store.ts";
import { digestLine } from "./inbound-texts.ts";
import type { MessageScope } from "./message-story.ts";
import { listStops, type Stop } from "./text-blocks.ts";

export interface RecipientStory {
  /** As messages have it. */
  readonly contact: string;
  /** What holds now, by merchant and channel. */
  readonly consents: readonly ConsentRow[];
  /** The last changes first. */
  readonly changes: readonly ConsentChange[];
  /** Whether there were more changes, longer ago. */
  readonly hasMore: boolean;
  /** The STOPs that they said to the asker's numbers, the last one first. */
  readonly stops: readonly Stop[];
  /** What they had opted out of when they were erased. */
  readonly keptOptOuts: readonly ErasedOptOut[];
  /** The last ones first. */
  readonly erasures: readonly ErasureRow[];
}

/** Somebody who is asked about. */
export interface AskedRecipient {
  /** Of `readContact`. */
  readonly contact: string;
  /** Its digest for the tenant that asks. */
  readonly digest: string;
  /** By which its STOPs are kept: the same for all tenants. */
  readonly phoneDigest: string;
}

export function askFor(contact: string, tenantId: number, digestRecipient: RecipientDigest): AskedRecipient {
  const phoneDigest = digestLine(digestRecipient, contact);
  return { contact, digest: digestRecipient(tenantId, contact), phoneDigest };
}

/** Changes read of a recipient: few have more than a handful. */
const MOST_CHANGES = 1_000;
const MOST_ERASURES = 100;

/** The number or address as messages have it; undefined for what is neither. */
export function readContact(text: string): string | undefined {
  return text.includes("@") ? parseEmailAddress(text) : parsePhoneNumber(text.trim());
}

/**
 * What is known of somebody, to those who may see it; of one that nothing is known of, nothing.
 *
 * @param most changes that are read
 */
export async function readRecipientStory(
  tx: Transaction,
  { tenantId, merchantId }: MessageScope,
  { contact, digest, phoneDigest }: AskedRecipient,
  most = MOST_CHANGES,
): Promise<RecipientStory> {
  const found = await listConsentChanges(tx, { tenantId, contact, limit: Math.min(most + 1, Number.MAX_SAFE_INTEGER) });
  const changes = found.slice(0, most).filter((change) => merchantId === null || change.merchantId === merchantId);
  const consents: ConsentRow[] = [];
  const seen = new Set<string>();
  for (const change of changes) {
    const key = JSON.stringify([change.merchantId, change.channel]);
    if (seen.has(key)) continue;
    seen.add(key);
    const { merchantId, channel } = change;
    const consent = await findConsent(tx, { tenantId, merchantId, channel, contact });
    if (consent !== undefined) consents.push(consent);
  }
  consents.sort((one, other) => compare(one.merchantId, other.merchantId) || compare(one.channel, other.channel));
  const stops = await listStops(tx, { tenantId, merchantId, contact, phoneDigest, consents, changes });
  const isSeen = (row: { merchantId: string | null }) => merchantId === null || row.merchantId === merchantId;
  const keptOptOuts = (await listErasedOptOuts(tx, tenantId, digest)).filter(isSeen);
  const erasures = (await listErasures(tx, { tenantId, digest, limit: MOST_ERASURES })).filter(isSeen);
  return { contact, consents, changes, hasMore: found.length > most, stops, keptOptOuts, erasures };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** A change as JSON has it. */
export function viewChange({ changeId: _changeId, changedAt, ...change }: ConsentChange) {
  return { ...change, changedAt: new Date(changedAt).toISOString() };
}

function viewConsent({ contact: _contact, updatedAt, ...consent }: ConsentRow) {
  return { ...consent, updatedAt: new Date(updatedAt).toISOString() };
}

/** The story as JSON has it. */
export function viewRecipient({ contact, consents, changes, hasMore, stops, keptOptOuts, erasures }: RecipientStory) {
  return {
    contact,
    consents: consents.map(viewConsent),
    changes: changes.map(viewChange),
    hasMore,
    stops: stops.map(({ sender: number, word, blockedAt, overrides }) => ({
      ...{ number, word, saidAt: new Date(blockedAt).toISOString() },
      overrides: overrides.map(viewConsent),
    })),
    keptOptOuts: keptOptOuts.map(({ optedOutAt, ...optOut }) => ({
      ...optOut,
      optedOutAt: new Date(optedOutAt).toISOString(),
    })),
    erasures: erasures.map(({ askedAt, endedAt, merchantId, erased }) => ({
      askedAt: new Date(askedAt).toISOString(),
      endedAt: viewTime(endedAt),
      merchantId,
      erased,
    })),
  };
}
