import type { Schemas } from "@msgctl/contract";

export type Channel = Schemas["Channel"];
export type MessageType = Schemas["MessageType"];
export type ConsentStatus = Schemas["ConsentStatus"];

/** `strict` is the whole table below; under `opt_out_only` a missing record refuses nothing. */
export type ConsentPolicy = "strict" | "opt_out_only";

/** What a STOP by text ends: texts, or calls too. */
export type StopCoverage = "sms" | "sms,voice";

export type ConsentDecision = "allowed" | "consent_required" | "consent_opted_out";

interface ConsentRule {
  withoutRecord: "allowed" | "consent_required";
  optedOut: "allowed" | "consent_opted_out";
}

const open: ConsentRule = { withoutRecord: "allowed", optedOut: "allowed" };
const unlessOptedOut: ConsentRule = { withoutRecord: "allowed", optedOut: "consent_opted_out" };
const onlyOptedIn: ConsentRule = { withoutRecord: "consent_required", optedOut: "consent_opted_out" };

/**
 * CTIA messaging principles: consent before informational, written consent before promotional traffic, and a STOP blocks
 * everything by SMS. FCC 24-17: a synthetic voice is an artificial voice. CAN-SPAM exempts transactional email.
 */
const rules: Record<MessageType, Record<Channel, ConsentRule>> = {
  MARKETING: { SMS: onlyOptedIn, VOICE: onlyOptedIn, EMAIL: onlyOptedIn },
  REMINDER: { SMS: onlyOptedIn, VOICE: onlyOptedIn, EMAIL: unlessOptedOut },
  TRANSACTIONAL: { SMS: unlessOptedOut, VOICE: onlyOptedIn, EMAIL: open },
  OTP: { SMS: unlessOptedOut, VOICE: unlessOptedOut, EMAIL: open },
};

/** Whether a message of this type may go out on this channel, given the recipient's recorded consent, if any. */
export function decideConsent(question: {
  policy: ConsentPolicy;
  channel: Channel;
  type: MessageType;
  status: ConsentStatus | undefined;
}): ConsentDecision {
  const rule = rules[question.type][question.channel];
  if (question.status === "OPT_OUT") return rule.optedOut;
  if (question.status === "OPT_IN" || question.policy === "opt_out_only") return "allowed";
  return rule.withoutRecord;
}
