// Describes in words why a message was allowed, and its outcome.

import type { Views } from "../../api.ts";
import { toWords } from "../../elements/state.tsx";

type Message = Views["MessageView"];
type Status = Message["status"];

const channels: Readonly<Record<string, string>> = { SMS: "SMS", VOICE: "Calls", EMAIL: "Emails" };

export function nameChannel(channel: string): string {
  return channels[channel] ?? channel;
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
  const kind = `${plurals[type] ?? type} by ${channel === "SMS" ? channel : channel.toLowerCase()}`;
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

/** Each reason in a few words, for lists, and as a sentence. */
const reasons: Readonly<Record<string, readonly [short: string, sentence: string]>> = {
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
  FAX: ["fax", "A fax answered."],
  INVALID_NUMBER: ["invalid number", "The number cannot be called."],
  TTS_FAILED: ["no speech", "The text could not be converted to speech."],
};

/** Reasons of emails that differ from those of messages to phones. */
const reasonsOfMail: typeof reasons = {
  UNREACHABLE: ["no such mailbox", "The mailbox does not exist or accepted no mail."],
};

/** A reason in a few words. An unknown one is shown by its own name. */
export function describeReason(reason: string, channel: string): string {
  return findReason(reason, channel)?.[0] ?? toWords(reason).toLowerCase();
}

/** The outcome of a message, and its reason. */
export function describeEnd({ status, reason, channel }: Pick<Message, "status" | "reason" | "channel">): Words {
  if (reason === null) return ends[status];
  return { ...ends[status], detail: findReason(reason, channel)?.[1] ?? toWords(reason) };
}

function findReason(reason: string, channel: string) {
  return (channel === "EMAIL" ? reasonsOfMail[reason] : undefined) ?? reasons[reason];
}

const units = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
] as const;

/** The time between two events: "+0.04 s", "+12 min". */
export function describePause(from: string, to: string): string {
  const ms = Math.max(0, Date.parse(to) - Date.parse(from));
  for (const [size, unit] of units) if (ms >= 2 * size) return `+${Math.round(ms / size)} ${unit}`;
  const seconds = ms / 1_000;
  return `+${seconds >= 10 ? Math.round(seconds) : Number(seconds.toPrecision(2))} s`;
}
