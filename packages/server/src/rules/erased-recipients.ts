// What stands for a recipient whose number or address was erased.

import { createHmac } from "node:crypto";

/** Digest of a contact, as `parsePhoneNumber` and `parseEmailAddress` return it, for one tenant. */
export type RecipientDigest = (tenantId: number, contact: string) => string;

/** Keyed by the installation's pepper: without it nobody can try out numbers. */
export function createRecipientDigest(pepper: string): RecipientDigest {
  return (tenantId, contact) =>
    createHmac("sha256", pepper).update(`recipient ${tenantId} ${contact}`).digest("base64url");
}

/** Stands for the number where a call was made to. */
export const ERASED = "erased";
const PREFIX = `${ERASED}:`;

/** Stands for the recipient of a message: no number and no address has a colon. */
export function toErasedRecipient(digest: string): string {
  return `${PREFIX}${digest}`;
}

/** The digest of a recipient that was erased; undefined for any other. */
export function readErasedRecipient(recipient: string): string | undefined {
  return recipient.startsWith(PREFIX) ? recipient.slice(PREFIX.length) : undefined;
}

/** The recipient as people are shown them. */
export function showRecipient(recipient: string): string {
  return recipient.startsWith(PREFIX) ? ERASED : recipient;
}
