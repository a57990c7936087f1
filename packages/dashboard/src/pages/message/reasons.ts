// Why a message or call was not fully delivered, in words.

import type { Schemas } from "@msgctl/contract";
import { toVisible } from "../../elements/visible-text.ts";

/** A reason in a few words, for lists, and as a sentence. */
type Words = readonly [short: string, sentence: string];

const reasons: Readonly<Record<Schemas["DeliveryReason"], Words>> = {
  UNREACHABLE: ["phone unreachable", "The phone was off or out of reach."],
  BLOCKED: ["blocked", "The recipient or the carrier blocked it."],
  UNKNOWN_HANDSET: ["no such phone", "The phone does not exist."],
  LANDLINE: ["landline", "The number is a landline, which receives no SMS."],
  CARRIER_FILTERED: ["filtered as spam", "The carrier filtered it as spam."],
  CARRIER_UNKNOWN: ["no reason given", "The carrier gave no reason."],
  UNREGISTERED_SENDER: ["sender not registered", "The sender is not registered: carriers filter what it sends."],
  TTL_EXPIRED: ["too late", "It had passed its expiry time."],
  OPTED_OUT: ["opted out", "The recipient had opted out before it was sent."],
  BUSY: ["busy", "The line was busy."],
  NO_ANSWER: ["no answer", "Nobody answered."],
  VOICEMAIL: ["voicemail", "Voicemail answered."],
  HANGUP: ["hung up", "The recipient hung up while it was playing."],
  FAX: ["fax", "A fax machine answered."],
  INVALID_NUMBER: ["invalid number", "The number is not in service."],
  TTS_FAILED: ["no speech", "The text could not be converted to speech or played."],
};

/** Reasons with other words for one channel. */
const reasonsOf: Readonly<Record<string, Partial<typeof reasons>>> = {
  EMAIL: { UNREACHABLE: ["no such mailbox", "The mailbox does not exist or accepted no mail."] },
  VOICE: { BLOCKED: ["blocked", "The recipient declined the call, or the carrier blocked it."] },
};

/** Describes a reason in a few words. An unknown one is shown by its name in lower case. */
export function describeReason(reason: string, channel: string): string {
  return findReason(reason, channel)?.[0] ?? spellOut(reason);
}

/** Describes a reason in a sentence. An unknown one is shown by its name in lower case. */
export function explainReason(reason: string, channel: string): string {
  return findReason(reason, channel)?.[1] ?? spellOut(reason);
}

/** The name of an unknown reason in words. */
export function spellOut(reason: string): string {
  return toVisible(reason.toLowerCase().replaceAll("_", " "));
}

function findReason(reason: string, channel: string): Words | undefined {
  const own: Readonly<Record<string, Words>> = { ...reasons, ...reasonsOf[channel] };
  return Object.hasOwn(own, reason) ? own[reason] : undefined;
}
