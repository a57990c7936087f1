// Contacts of recipients: masked in logs and audits, and replaced when the recipient is erased.

import { createHmac } from "node:crypto";
import type { Schemas } from "@msgctl/contract";

/** The contact under which a recipient's consent is stored. Addresses are compared in lower case, but sent to as written. */
export function contactOf(recipient: string): string {
  // the text for an erased recipient contains no @, so its case is kept
  return recipient.includes("@") ? recipient.toLowerCase() : recipient;
}

const HIDDEN = "•••";

/** Masks a contact so that only those who know it recognize it: `+1202•••00`, `a•••@example.com`, or a first character. */
export function maskContact(contact: string): string {
  const at = contact.lastIndexOf("@");
  if (at > 0) return `${firstOf(contact)}${HIDDEN}${contact.slice(at)}`;
  if (/^\+\d{7,15}$/.test(contact)) return `${contact.slice(0, 5)}${HIDDEN}${contact.slice(-2)}`;
  return `${firstOf(contact)}${HIDDEN}`;
}

function firstOf(text: string): string {
  return Array.from(text.slice(0, 2))[0] ?? "";
}

/** Computes a tenant-specific digest of a contact, as returned by `parsePhoneNumber` or `parseEmailAddress`. */
export type RecipientDigest = (tenantId: number, contact: string) => string;

/** The digest is keyed with the installation's pepper. Without the pepper, nobody can find a number by trying all numbers. */
export function createRecipientDigest(pepper: string): RecipientDigest {
  return (tenantId, contact) =>
    createHmac("sha256", pepper).update(`recipient ${tenantId} ${contact}`).digest("base64url");
}

/** Replaces the number of an erased recipient's call. */
export const ERASED = "erased";
const PREFIX = `${ERASED}:`;

/** Returns the text that replaces an erased recipient of a message. It has a colon, which no number or address has. */
export function toErasedRecipient(digest: string): string {
  return `${PREFIX}${digest}`;
}

/** The digest of an erased recipient; undefined if the recipient was not erased. */
export function readErasedRecipient(recipient: string): string | undefined {
  return recipient.startsWith(PREFIX) ? recipient.slice(PREFIX.length) : undefined;
}

/** The recipient for display. */
export function showRecipient(recipient: string): string {
  return recipient.startsWith(PREFIX) ? ERASED : recipient;
}

export type Channel = Schemas["Channel"];
