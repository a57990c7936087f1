// Describes in words why a message was allowed, and its outcome.

import type { Views } from "../../api.ts";

type Message = Views["MessageView"];

/** Describes why the message was allowed. */
export function describePermission({
  purpose,
  type,
  channel,
  consent,
  to,
}: Pick<Message, "purpose" | "type" | "channel" | "consent" | "to">): string {
  const kind = `${type} by ${channel}`;
  if (purpose === "CONFIRMATION") return "It confirms the recipient's reply, so it needs no consent and uses no quota.";
  if (to === "erased") return "The recipient's consent was erased with the recipient.";
  if (consent === null) return `No consent was on record, and ${kind} needs none.`;
  if (consent.status === "OPT_OUT") return `The recipient had opted out, but ${kind} is exempt from opt-outs.`;
  return consent.source === null ? "The recipient had opted in." : `The recipient had opted in (${consent.source}).`;
}

/** Describes the charge to the quota. */
export function describeCharge({ charge, period }: Pick<Message, "charge" | "period">): string {
  const month = period === "" ? "" : ` of ${period.slice(0, 7)}`;
  if (charge === "RELEASED") return "given back: nothing was charged";
  return charge === "SETTLED" ? `taken from the quota${month}` : `reserved from the quota${month}`;
}

const ends: Readonly<Record<Message["status"], string>> = {
  QUEUED: "It is queued: it waits for its turn, its carrier is not available, or no carrier is set.",
  SENDING: "It is being submitted to the carrier.",
  SENT: "The carrier accepted it and has not reported the outcome yet.",
  DELIVERED: "It was delivered.",
  UNDELIVERED: "The carrier could not deliver it.",
  FAILED: "No carrier accepted it.",
  EXPIRED: "It expired before it was sent.",
  CANCELED: "It was canceled.",
  UNKNOWN: "Its outcome cannot be determined.",
};

const reasons: Readonly<Record<string, string>> = {
  UNREACHABLE: "The phone was off or out of reach.",
  BLOCKED: "The recipient or the carrier blocked it.",
  UNKNOWN_HANDSET: "The phone does not exist.",
  LANDLINE: "The number is a landline.",
  CARRIER_FILTERED: "The carrier filtered it as spam.",
  CARRIER_UNKNOWN: "The carrier gave no reason.",
  UNREGISTERED_SENDER: "The sender is not registered, so carriers filter its messages.",
  TTL_EXPIRED: "It had passed its expiry time.",
  OPTED_OUT: "The recipient opted out before it was sent.",
  BUSY: "The line was busy.",
  NO_ANSWER: "Nobody answered.",
  VOICEMAIL: "Voicemail answered.",
  HANGUP: "The recipient hung up while it was playing.",
  FAX: "A fax machine answered.",
  INVALID_NUMBER: "The number cannot be called.",
  TTS_FAILED: "The text could not be converted to speech.",
};

/** Reasons whose words differ for emails. */
const reasonsOfMail: Readonly<Record<string, string>> = {
  UNREACHABLE: "The mailbox does not exist or accepted no mail.",
};

/** Describes the outcome of a message, and its reason. */
export function describeEnd({ status, reason, channel }: Pick<Message, "status" | "reason" | "channel">): string {
  const known = channel === "EMAIL" ? { ...reasons, ...reasonsOfMail } : reasons;
  const why = reason === null ? undefined : (known[reason] ?? reason);
  return why === undefined ? ends[status] : `${ends[status]} ${why}`;
}
