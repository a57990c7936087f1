// Why a message was sent, and its outcome, in words.

import type { Views } from "../../api.ts";

type Message = Views["MessageView"];

/** Why the message was allowed. */
export function describePermission({
  purpose,
  type,
  channel,
  consent,
  to,
}: Pick<Message, "purpose" | "type" | "channel" | "consent" | "to">): string {
  const kind = `${type} by ${channel}`;
  if (purpose === "CONFIRMATION") return "It confirms a reply of theirs, which takes no consent and no quota.";
  if (to === "erased") return "What they had agreed to was erased with them.";
  if (consent === null) return `They had decided nothing; ${kind} was let go without.`;
  if (consent.status === "OPT_OUT") return `They had opted out, which does not hold for ${kind}.`;
  return consent.source === null ? "They had opted in." : `They had opted in (${consent.source}).`;
}

/** The charge to the quota. */
export function describeCharge({ charge, period }: Pick<Message, "charge" | "period">): string {
  const month = period === "" ? "" : ` of ${period.slice(0, 7)}`;
  if (charge === "RELEASED") return "given back: nothing was charged";
  return charge === "SETTLED" ? `taken from the quota${month}` : `held from the quota${month}`;
}

const ends: Readonly<Record<Message["status"], string>> = {
  QUEUED: "It waits: for its turn, for its carrier to take it or be back, or for one to be set.",
  SENDING: "It is being given to the carrier.",
  SENT: "The carrier has it, and has not said yet what became of it.",
  DELIVERED: "It was delivered.",
  UNDELIVERED: "The carrier could not deliver it.",
  FAILED: "No carrier took it.",
  EXPIRED: "It was too late to be sent.",
  CANCELED: "It was called off.",
  UNKNOWN: "Nobody can tell what became of it.",
};

const reasons: Readonly<Record<string, string>> = {
  UNREACHABLE: "The phone was off or out of reach.",
  BLOCKED: "The recipient or the carrier blocks it.",
  UNKNOWN_HANDSET: "There is no such phone.",
  LANDLINE: "The number is of a landline.",
  CARRIER_FILTERED: "The carrier took it for spam.",
  CARRIER_UNKNOWN: "The carrier gave no reason.",
  UNREGISTERED_SENDER: "The sender is not registered: carriers filter what it sends.",
  TTL_EXPIRED: "It was no longer of use.",
  OPTED_OUT: "The recipient opted out before it was sent.",
  BUSY: "The line was busy.",
  NO_ANSWER: "Nobody answered.",
  VOICEMAIL: "A mailbox answered.",
  HANGUP: "They hung up while it was played.",
  FAX: "A fax answered.",
  INVALID_NUMBER: "The number cannot be called.",
  TTS_FAILED: "No speech could be made of the text.",
};

/** Reasons of emails, where they differ from a phone's. */
const reasonsOfMail: Readonly<Record<string, string>> = {
  UNREACHABLE: "There is no such mailbox, or it took nothing.",
};

/** The outcome of a message, and its reason. */
export function describeEnd({ status, reason, channel }: Pick<Message, "status" | "reason" | "channel">): string {
  const known = channel === "EMAIL" ? { ...reasons, ...reasonsOfMail } : reasons;
  const why = reason === null ? undefined : (known[reason] ?? reason);
  return why === undefined ? ends[status] : `${ends[status]} ${why}`;
}
