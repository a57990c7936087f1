import { createHmac } from "node:crypto";

/** The contact by which consent is kept, of a message's recipient: an address is sent to as it was written. */
export function contactOf(recipient: string): string {
  // not what stands for one who was erased
  return recipient.includes("@") ? recipient.toLowerCase() : recipient;
}

// A phone number or email address of which enough is left for whoever knows it.

const HIDDEN = "•••";

/** `+1202•••00` or `a•••@example.com`; of what is neither, the first character. */
export function maskContact(contact: string): string {
  const at = contact.lastIndexOf("@");
  if (at > 0) return `${firstOf(contact)}${HIDDEN}${contact.slice(at)}`;
  if (/^\+\d{7,15}$/.test(contact)) return `${contact.slice(0, 5)}${HIDDEN}${contact.slice(-2)}`;
  return `${firstOf(contact)}${HIDDEN}`;
}

function firstOf(text: string): string {
  return Array.from(text.slice(0, 2))[0] ?? "";
}

// What stands for a recipient whose number or address was erased.

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
