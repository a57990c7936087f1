// Reasons why a call was delayed, refused, or not fully successful, in words.

import type { Schemas } from "@msgctl/contract";
import { toVisible } from "../../elements/visible-text.ts";

const policyReasons: Readonly<Record<Schemas["PolicyReason"], string>> = {
  QUIET_HOURS: "waits until 08:00 in the recipient's time zone",
  TIMEZONE_INFERRED: "waits until it is daytime in every time zone that the recipient may be in",
  CONSENT_REQUIRED: "refused: the recipient has not opted in",
  CONSENT_OPTED_OUT: "refused: the recipient has opted out",
  QUOTA_EXCEEDED: "refused: the merchant's quota is used up",
};

const deliveryReasons: Readonly<Record<Schemas["DeliveryReason"], string>> = {
  UNREACHABLE: "the phone is off or out of reach",
  BLOCKED: "the recipient declined the call, or the carrier blocked it",
  UNKNOWN_HANDSET: "the phone does not exist",
  LANDLINE: "the number is a landline",
  CARRIER_FILTERED: "the carrier filtered it as spam",
  CARRIER_UNKNOWN: "the carrier gave no reason",
  UNREGISTERED_SENDER: "the sender is not registered",
  TTL_EXPIRED: "it expired before the call was placed",
  OPTED_OUT: "the carrier reported that the recipient has opted out",
  BUSY: "the line was busy",
  NO_ANSWER: "nobody picked up",
  VOICEMAIL: "voicemail answered",
  HANGUP: "the recipient hung up while the message was playing",
  FAX: "a fax machine answered",
  INVALID_NUMBER: "the number is not in service",
  TTS_FAILED: "the text could not be converted to speech or played",
};

/** Describes a reason in words. An unknown reason is shown as its name in lower case. */
export function describeReason(reason: string): string {
  const known: Readonly<Record<string, string>> = { ...policyReasons, ...deliveryReasons };
  return Object.hasOwn(known, reason) ? (known[reason] ?? "") : toVisible(reason.toLowerCase().replaceAll("_", " "));
}

const speech: Readonly<Record<string, string>> = {
  PENDING: "not generated yet",
  HIT: "from the cache",
  MISS: "newly generated",
};

/** Describes where the speech of a call came from. */
export function describeSpeech(ttsCacheStatus: string): string {
  return Object.hasOwn(speech, ttsCacheStatus) ? (speech[ttsCacheStatus] ?? "") : toVisible(ttsCacheStatus);
}
