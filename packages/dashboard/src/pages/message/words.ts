// Describes in words why a message was allowed, and its outcome.

import type { Views } from "../../api.ts";
import { explainReason } from "./reasons.ts";

type Message = Views["MessageView"];
type Status = Message["status"];

const channels: Readonly<Record<Message["channel"], string>> = { SMS: "SMS", VOICE: "Calls", EMAIL: "Emails" };

/** A channel as people call it. */
export function nameChannel(channel: Message["channel"]): string {
  return channels[channel];
}

const messages: typeof channels = { SMS: "SMS", VOICE: "Call", EMAIL: "Email" };

/** A message of a channel as people call it. */
export function nameMessage(channel: Message["channel"]): string {
  return messages[channel];
}

const transitional: readonly Status[] = ["QUEUED", "SENDING", "SENT"];

/** Whether a message with this status has ended. */
export function isFinal(status: Status): boolean {
  return !transitional.includes(status);
}

const plurals: Readonly<Record<string, string>> = {
  OTP: "one-time passwords",
  REMINDER: "reminders",
  MARKETING: "marketing messages",
  TRANSACTIONAL: "transactional messages",
};

/** A type of messages, as people call several of them. */
export function nameTypes(type: string): string {
  return plurals[type] ?? type;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Describes why the message was allowed. */
export function describePermission({
  purpose,
  type,
  channel,
  consent,
  to,
}: Pick<Message, "purpose" | "type" | "channel" | "consent" | "to">): string {
  const kind = `${nameTypes(type)} by ${channel === "SMS" ? channel : channel.toLowerCase()}`;
  if (purpose === "CONFIRMATION") return "It confirms the recipient's reply, so it needs no consent and uses no quota.";
  if (to === "erased") return "The recipient's consent was erased with the recipient.";
  if (consent === null) return `No opt-out was recorded. ${upperFirst(kind)} need no opt-in.`;
  if (consent.status === "OPT_OUT") return `The recipient had opted out, but ${kind} are exempt from opt-outs.`;
  return consent.source === null ? "The recipient had opted in." : `The recipient had opted in (${consent.source}).`;
}

/** Describes the charge to the quota. */
export function describeCharge({ charge, period }: Pick<Message, "charge" | "period">): string {
  const month = period === "" ? "" : ` of ${period.slice(0, 7)}`;
  if (charge === "RELEASED") return "given back: nothing was charged";
  return charge === "SETTLED" ? `taken from the quota${month}` : `reserved from the quota${month}`;
}

interface Words {
  readonly title: string;
  readonly detail?: string;
}

const ends: Readonly<Record<Status, Words>> = {
  QUEUED: {
    title: "Waiting",
    detail: "It waits for its turn, for its carrier to accept it or become available, or for a carrier to be set.",
  },
  SENDING: { title: "Being submitted to the carrier" },
  SENT: { title: "Waiting for the outcome", detail: "The carrier has not reported yet whether it was delivered." },
  DELIVERED: { title: "Delivered" },
  UNDELIVERED: { title: "Not delivered" },
  FAILED: { title: "Failed" },
  EXPIRED: { title: "Expired" },
  CANCELED: { title: "Canceled" },
  UNKNOWN: { title: "Unknown", detail: "The carrier never reported the outcome. It is not sent again." },
};

/** The outcome of a message, and its reason. */
export function describeEnd({ status, reason, channel }: Pick<Message, "status" | "reason" | "channel">): Words {
  if (reason === null) return ends[status];
  return { ...ends[status], detail: explainReason(reason, channel) };
}
