// What recipients have decided, those who were erased too.

import type { RecipientDigest } from "../rules/erased-recipients.ts";
import { type ConsentKey, type ConsentStatus, findConsentStatuses, findStoredConsent } from "../store/consents.ts";
import { findErasedOptOuts } from "../store/erased-opt-outs.ts";
import type { Transaction } from "../store/store.ts";
import type { StoredConsent } from "../store/stored-consent.ts";

interface Digesting {
  readonly tx: Transaction;
  readonly digestRecipient: RecipientDigest;
}

/** The contact's decision; undefined if none is known. */
export async function readConsent(context: Digesting, key: ConsentKey): Promise<ConsentStatus | undefined> {
  return resolveConsent(context, key, await findStoredConsent(context.tx, key));
}

/** The decision that the table has, or leaves to those who were erased. */
export async function resolveConsent(
  { tx, digestRecipient }: Digesting,
  key: ConsentKey,
  stored: StoredConsent | null | undefined,
): Promise<ConsentStatus | undefined> {
  if (stored !== "SEE_ERASED") return stored ?? undefined;
  const found = await findErasedOptOuts(tx, key, [digestRecipient(key.tenantId, key.contact)]);
  return found.size > 0 ? "OPT_OUT" : undefined;
}

/** The decisions of those contacts that have made one. */
export async function readConsents(
  { tx, digestRecipient }: Digesting,
  key: Omit<ConsentKey, "contact">,
  contacts: readonly string[],
): Promise<Map<string, ConsentStatus>> {
  const statuses = await findConsentStatuses(tx, key, contacts);
  const unknown = contacts.find((contact) => !statuses.has(contact));
  if (unknown === undefined || (await findStoredConsent(tx, { ...key, contact: unknown })) !== "SEE_ERASED") {
    return statuses;
  }
  const digests = new Map<string, string>();
  for (const contact of contacts) {
    if (!statuses.has(contact)) digests.set(digestRecipient(key.tenantId, contact), contact);
  }
  for (const digest of await findErasedOptOuts(tx, key, [...digests.keys()])) {
    statuses.set(digests.get(digest) ?? "", "OPT_OUT");
  }
  return statuses;
}
