// Reasons why a call was delayed, refused, or not fully successful, in words.

import type { Schemas } from "@msgctl/contract";
import { toVisible } from "../../elements/visible-text.ts";
import { describeReason as describeDelivery } from "../message/reasons.ts";

const policyReasons: Readonly<Record<Schemas["PolicyReason"], string>> = {
  QUIET_HOURS: "waits until 08:00 in the recipient's time zone",
  TIMEZONE_INFERRED: "waits until it is daytime in every time zone that the recipient may be in",
  CONSENT_REQUIRED: "refused: the recipient has not opted in",
  CONSENT_OPTED_OUT: "refused: the recipient has opted out",
  QUOTA_EXCEEDED: "refused: the merchant's quota is used up",
};

/** Describes a reason in a few words, that of a rule or of the delivery. */
export function describeReason(reason: string): string {
  return explainPolicy(reason) ?? describeDelivery(reason, "VOICE");
}

/** Describes what a rule did to a call. Undefined for a reason that is not a rule's. */
export function explainPolicy(reason: string): string | undefined {
  const known: Readonly<Record<string, string>> = policyReasons;
  return Object.hasOwn(known, reason) ? known[reason] : undefined;
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
