// The contact of a recipient, masked for logs and audits, or replaced once it was erased.

import { createHmac } from "node:crypto";
import type { Schemas } from "@msgctl/contract";

/** The key of consent for a message's recipient. Addresses are compared in lower case, and sent to as written. */
export function contactOf(recipient: string): string {
  // an erased recipient has no @ and keeps its case
  return recipient.includes("@") ? recipient.toLowerCase() : recipient;
}

const HIDDEN = "•••";

/** Masks a contact for readers who know it: `+1202•••00`, `a•••@example.com`, or the first character of another text. */
export function maskContact(contact: string): string {
  const at = contact.lastIndexOf("@");
  if (at > 0) return `${firstOf(contact)}${HIDDEN}${contact.slice(at)}`;
  if (/^\+\d{7,15}$/.test(contact)) return `${contact.slice(0, 5)}${HIDDEN}${contact.slice(-2)}`;
  return `${firstOf(contact)}${HIDDEN}`;
}

function firstOf(text: string): string {
  return Array.from(text.slice(0, 2))[0] ?? "";
}

/** Digest of a contact, as `parsePhoneNumber` and `parseEmailAddress` return it, for one tenant. */
export type RecipientDigest = (tenantId: number, contact: string) => string;

/** Keyed by the installation's pepper: without it numbers cannot be guessed. */
export function createRecipientDigest(pepper: string): RecipientDigest {
  return (tenantId, contact) =>
    createHmac("sha256", pepper).update(`recipient ${tenantId} ${contact}`).digest("base64url");
}

/** Replaces the number of a call. */
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

export type Channel = Schemas["Channel"];
